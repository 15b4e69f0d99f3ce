// The page's own behaviour: theme, keys, copying, charts under the pointer, the list of findings, and what changes while one looks.
// It needs nothing but itself and works from a file system; where a server is behind the page, it listens to its events.
(function () {
  "use strict";
  var root = document.documentElement;
  try { var kept = localStorage.getItem("theme"); if (kept) root.dataset.theme = kept; } catch (e) { /* a private window keeps nothing */ }
  function $(id) { return document.getElementById(id); }
  function all(selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); }
  function element(tag, name, text) { var e = document.createElement(tag); if (name) e.className = name; if (text !== undefined) e.textContent = text; return e; }

  function theme() {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch (e) { /* as above */ }
  }

  // Copying.
  function copy(what) {
    var source = $(what), button = document.querySelector("[data-copy=" + what + "]");
    if (!source) return;
    var text = source.textContent;
    function done() { if (button) { button.classList.add("done"); setTimeout(function () { button.classList.remove("done"); }, 1500); } }
    if (navigator.clipboard && window.isSecureContext) { navigator.clipboard.writeText(text).then(done, function () { old(text); done(); }); } else { old(text); done(); }
  }
  function old(text) {
    var area = element("textarea"); area.value = text; area.style.position = "fixed"; area.style.opacity = "0";
    document.body.appendChild(area); area.select(); document.execCommand("copy"); area.remove();
  }

  // Charts: a line and the figures at the pointer.
  function chart(figure) {
    if (figure.dataset.ready) return;
    figure.dataset.ready = "1";
    var data = JSON.parse(figure.dataset.chart), plot = figure.querySelector(".plot"), cross = figure.querySelector(".cross"), tip = figure.querySelector(".tip");
    function at(event) {
      var box = plot.getBoundingClientRect(), part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      var place = data.from + (data.to - data.from) * part, points = data.series[0].points, best = 0;
      for (var i = 1; i < points.length; i++) if (Math.abs(points[i][0] - place) < Math.abs(points[best][0] - place)) best = i;
      var left = (points[best][0] - data.from) / (data.to - data.from) * box.width;
      cross.hidden = tip.hidden = false; cross.style.left = left + "px";
      tip.textContent = ""; tip.appendChild(element("strong", "", data.labels[best]));
      data.series.slice().reverse().forEach(function (s) {
        var p = s.points[best]; if (!p) return;
        var row = element("div"); row.appendChild(element("span", "", s.name));
        row.appendChild(element("span", "", (Math.round(p[1] * 100) / 100) + (data.unit ? " " + data.unit : ""))); tip.appendChild(row);
      });
      var offset = plot.offsetLeft + left + 14;
      if (offset + tip.offsetWidth > figure.clientWidth - 8) offset = plot.offsetLeft + left - tip.offsetWidth - 14;
      tip.style.left = Math.max(8, offset) + "px";
    }
    plot.addEventListener("pointermove", at);
    plot.addEventListener("pointerleave", function () { cross.hidden = tip.hidden = true; });
  }
  function charts() { all("[data-chart]").forEach(chart); }

  // The list of findings: only the rows in sight are in the document.
  var F = { fingerprint: 0, cls: 1, about: 2, target: 3, version: 4, logic: 5, state: 6, count: 7, first: 8, severity: 9, loud: 10, solver: 11, strategy: 12 };
  var shown = [], cursor = -1, fresh = {}, height = 58;
  function ago(then) {
    var s = Math.max(0, Math.floor(Date.now() / 1000) - then);
    return s < 60 ? s + " s ago" : s < 5400 ? Math.floor(s / 60) + " min ago" : s < 129600 ? Math.floor(s / 3600) + " h ago" : Math.floor(s / 86400) + " days ago";
  }
  function filter() {
    var form = $("filters"), rows = window.FINDINGS || [], wanted = {};
    all("select", form).forEach(function (select) { wanted[select.name] = select.value; });
    var words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean), quiet = form.quiet.checked;
    shown = rows.filter(function (r) {
      if (!r[F.loud] && !quiet && wanted["class"] !== r[F.cls]) return false;
      if (wanted["class"] && r[F.cls] !== wanted["class"]) return false;
      if (wanted.solver && r[F.solver] !== wanted.solver) return false;
      if (wanted.target && r[F.target] !== wanted.target) return false;
      if (wanted.logic && r[F.logic] !== wanted.logic) return false;
      if (wanted.state && r[F.state] !== wanted.state) return false;
      if (words.length) {
        var text = (r[F.fingerprint] + " " + r[F.cls] + " " + r[F.about] + " " + r[F.target] + " " + r[F.version] + " " + r[F.logic] + " " + r[F.strategy]).toLowerCase();
        for (var i = 0; i < words.length; i++) if (text.indexOf(words[i]) < 0) return false;
      }
      return true;
    });
    var loud = rows.filter(function (r) { return r[F.loud]; }).length;
    $("shown").textContent = shown.length + " shown of " + loud + " findings and " + (rows.length - loud) + " observations";
    var query = new URLSearchParams(new FormData(form)), kept = new URLSearchParams();
    query.forEach(function (value, key) { if (value) kept.set(key, value); });
    try { history.replaceState(null, "", kept.toString() ? "?" + kept : location.pathname); } catch (e) { /* file systems may refuse */ }
    draw(true);
  }
  function row(at) {
    var r = shown[at], name = r[F.cls] + "-" + r[F.fingerprint], a = element("a", "row" + (at === cursor ? " at" : "") + (fresh[name] ? " fresh" : ""));
    a.href = "finding/" + name + ".html"; a.style.top = at * height + "px"; a.setAttribute("role", "option");
    a.appendChild(element("span", "badge " + r[F.cls], r[F.cls]));
    var what = element("span", "what"); what.appendChild(element("b", "", r[F.about])); what.appendChild(element("small", "", r[F.target] + " " + r[F.version] + " · " + r[F.logic])); a.appendChild(what);
    a.appendChild(element("span", "count", r[F.count] + "×")); a.appendChild(element("span", "state " + r[F.state], r[F.state])); a.appendChild(element("span", "when", ago(r[F.first])));
    return a;
  }
  function draw() {
    var list = $("list"), rows = $("rows");
    if (!list) return;
    height = matchMedia("(max-width: 820px)").matches ? 84 : 58;
    list.classList.add("drawn"); rows.style.height = shown.length * height + "px";
    var from = Math.max(0, Math.floor(list.scrollTop / height) - 6), to = Math.min(shown.length, from + Math.ceil(list.clientHeight / height) + 12), part = document.createDocumentFragment();
    for (var i = from; i < to; i++) part.appendChild(row(i));
    rows.textContent = ""; rows.appendChild(part);
  }
  function move(by) {
    if (!shown.length) return;
    cursor = Math.min(shown.length - 1, Math.max(0, cursor + by));
    var list = $("list"), top = cursor * height;
    if (top < list.scrollTop) list.scrollTop = top; else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
    draw();
  }
  window.showFindings = function () {
    var form = $("filters"), query = new URLSearchParams(location.search), list = $("list");
    if (!form || !list || form.dataset.ready) return;
    form.dataset.ready = "1";
    query.forEach(function (value, key) {
      var field = form.elements[key]; if (!field) return;
      if (field.type === "checkbox") field.checked = true;
      else { if (field.tagName === "SELECT" && !all("option", field).some(function (o) { return o.value === value; })) { var o = element("option", "", value); o.value = value; field.appendChild(o); } field.value = value; }
    });
    form.addEventListener("input", function () { cursor = -1; list.scrollTop = 0; filter(); });
    form.addEventListener("reset", function () { setTimeout(filter, 0); });
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    var waiting = false;
    list.addEventListener("scroll", function () { if (!waiting) { waiting = true; requestAnimationFrame(function () { waiting = false; draw(); }); } }, { passive: true });
    addEventListener("resize", draw);
    filter();
  };

  // What changes while one looks: new findings come by themselves, the marked parts of the page are asked for again.
  var asked = 0, timer = null;
  function refresh() {
    timer = null; asked = Date.now();
    fetch(location.href, { credentials: "same-origin" }).then(function (answer) { return answer.text(); }).then(function (text) {
      var next = new DOMParser().parseFromString(text, "text/html");
      all("[data-live]", document.body).forEach(function (part) {
        var now = part.id && next.getElementById(part.id);
        if (now && now.innerHTML !== part.innerHTML && !part.matches(":hover")) part.innerHTML = now.innerHTML;
      });
      charts();
    }, function () { /* the next event asks again */ });
  }
  function listen() {
    if (root.dataset.live !== "true" || !window.EventSource) return;
    var lamp = $("live"), source = new EventSource(root.dataset.root + "events");
    function set(on) { lamp.className = "live " + (on ? "on" : "off"); lamp.title = on ? "Live" : "No connection"; }
    source.onopen = function () { set(true); };
    source.onerror = function () { set(false); };
    source.addEventListener("finding", function (event) {
      if (!window.FINDINGS || !$("list")) return;
      var r = JSON.parse(event.data), name = r[F.cls] + "-" + r[F.fingerprint];
      window.FINDINGS = window.FINDINGS.filter(function (o) { return o[F.cls] + "-" + o[F.fingerprint] !== name; });
      fresh[name] = true; window.FINDINGS.unshift(r);
      window.FINDINGS.sort(function (a, b) { return a[F.severity] - b[F.severity] || b[F.first] - a[F.first]; });
      filter();
    });
    source.addEventListener("change", function () { if (!timer) timer = setTimeout(refresh, Math.max(0, 2000 - (Date.now() - asked))); });
  }

  // Keys.
  var went = 0;
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName), k = event.key;
    if (k === "Escape" && typing) { event.target.blur(); return; }
    if (typing) { if (k === "Enter" && event.target.id === "search" && shown.length) { cursor = Math.max(0, cursor); location.href = row(cursor).href; } return; }
    if (Date.now() - went < 1200) { var link = document.querySelector("nav a[data-key='" + k.replace(/[^a-z]/g, "") + "']"); went = 0; if (link) { location.href = link.href; return; } }
    if (k === "g") went = Date.now();
    else if (k === "/" && $("search")) { event.preventDefault(); $("search").focus(); }
    else if (k === "?") $("keys").showModal();
    else if (k === "t") theme();
    else if (k === "c" && $("command")) copy("command");
    else if (k === "r" && $("report")) copy("report");
    else if ((k === "j" || k === "ArrowDown") && $("list")) { event.preventDefault(); move(1); }
    else if ((k === "k" || k === "ArrowUp") && $("list")) { event.preventDefault(); move(-1); }
    else if (k === "Enter" && $("list") && cursor >= 0) location.href = row(cursor).href;
    else if (k === "Escape") { var up = document.querySelector(".crumbs a"); if (up) location.href = up.href; }
  }

  document.addEventListener("DOMContentLoaded", function () {
    $("theme").addEventListener("click", theme);
    $("help").addEventListener("click", function () { $("keys").showModal(); });
    all("[data-copy]").forEach(function (button) { button.addEventListener("click", function () { copy(button.dataset.copy); }); });
    document.addEventListener("keydown", key);
    charts(); if (window.FINDINGS) window.showFindings(); listen();
  });
})();
