//! The live page: an HTTP server over the same rendering as the static site, with events for what is new. It reads, and can change
//! nothing but a finding's state. On loopback it answers whoever is on this machine; elsewhere it wants a token.

use crate::error::Error;
use crate::page::{self, Look};
use crate::store::record::FindingState;
use crate::store::{Store, now};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::broadcast;

/// Where the page listens, and who may see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServeSettings {
    /// Where to listen: an address and a port; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// What a caller must know; needed on every address but loopback.
    pub token: Option<String>,
}

/// How often the store is looked at for news.
const BEAT: Duration = Duration::from_millis(400);
/// The largest form that is read.
const FORM: usize = 16 << 10;
/// The cookie that keeps the token.
const COOKIE: &str = "soundline";

struct Server {
    store: Mutex<Store>,
    token: Option<String>,
    /// Names under which the server is asked for, so that a foreign name that leads here (DNS rebinding) gets nothing.
    hosts: Vec<String>,
    news: broadcast::Sender<News>,
}

#[derive(Clone, Debug)]
enum News {
    Finding(String),
    Change,
}

/// Serves until `stop`; `ready` is told the address once it listens.
pub fn serve(
    store: Store,
    settings: &ServeSettings,
    stop: &AtomicBool,
    ready: &mut dyn FnMut(SocketAddr),
) -> Result<(), Error> {
    let failed = |error| Error::Listen { address: settings.listen.to_string(), error };
    if !settings.listen.ip().is_loopback() && settings.token.as_ref().is_none_or(|token| token.len() < 8) {
        return Err(Error::Usage(format!(
            "{}: everybody who can reach this address could look; give a --token of at least 8 letters",
            settings.listen
        )));
    }
    let listener = std::net::TcpListener::bind(settings.listen).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (news, _) = broadcast::channel(256);
    let path = store.path().to_path_buf();
    let server = Arc::new(Server {
        store: Mutex::new(store),
        token: settings.token.clone(),
        hosts: hosts(address),
        news: news.clone(),
    });
    let ended = Arc::new(AtomicBool::new(false));
    let watcher = {
        let ended = ended.clone();
        std::thread::spawn(move || watch(&path, &news, &ended))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
        let router = Router::new().fallback(answer).with_state(server);
        ready(address);
        let stopped = async {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::select! {
            ended = axum::serve(listener, router).into_future() => ended.map_err(failed),
            () = stopped => Ok(()),
        }
    });
    ended.store(true, Ordering::Relaxed);
    // The watcher has nothing to lose; it ends within a beat.
    watcher.join().unwrap_or(());
    result
}

fn hosts(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut hosts = vec![format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")];
    match address.ip() {
        IpAddr::V6(ip) => hosts.push(format!("[{ip}]:{port}")),
        IpAddr::V4(ip) => hosts.push(format!("{ip}:{port}")),
    }
    if port == 80 {
        // A browser leaves the usual port out.
        let bare: Vec<String> = hosts.iter().map(|host| host.trim_end_matches(":80").to_string()).collect();
        hosts.extend(bare);
    }
    hosts
}

/// Looks at the store and tells what is new. A store in memory has no news.
fn watch(path: &Path, news: &broadcast::Sender<News>, ended: &AtomicBool) {
    let Ok(store) = Store::open(path) else { return };
    let mut last = store.findings().ok().and_then(|rows| rows.iter().map(|row| row.id).max()).unwrap_or(0);
    let mut version = store.data_version().unwrap_or(0);
    while !ended.load(Ordering::Relaxed) {
        std::thread::sleep(BEAT);
        let Ok(next) = store.data_version() else { continue };
        if next == version {
            continue;
        }
        version = next;
        for row in store.findings_after(last).unwrap_or_default() {
            last = last.max(row.id);
            // The receiver may be gone.
            news.send(News::Finding(page::finding_row(&row).to_string())).unwrap_or(0);
        }
        news.send(News::Change).unwrap_or(0);
    }
}

fn plain(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(format!("{text}\n")));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

async fn answer(Shared(server): Shared<Arc<Server>>, request: Request) -> Response<Body> {
    let mut response = match admit(&server, &request) {
        Err(refusal) => *refusal,
        Ok(()) => match (request.method(), request.uri().path()) {
            (&Method::GET, "/events") => events(&server),
            (&Method::POST, "/state") => set_state(server, request).await,
            (&Method::GET | &Method::HEAD, path) => show(server, path.to_string()).await,
            _ => plain(
                StatusCode::METHOD_NOT_ALLOWED,
                "this server shows; it changes nothing but a finding's state",
            ),
        },
    };
    for (name, value) in [
        (
            "content-security-policy",
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}

/// Who may ask: a caller with the token where one is set, and only under a name of ours otherwise.
fn admit(server: &Server, request: &Request) -> Result<(), Box<Response<Body>>> {
    let text = |name: header::HeaderName| {
        request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or("")
    };
    let Some(token) = &server.token else {
        if server.hosts.iter().any(|host| host == text(header::HOST)) {
            return Ok(());
        }
        return Err(Box::new(plain(StatusCode::FORBIDDEN, "this server is asked for as localhost only")));
    };
    let query = request.uri().query().unwrap_or("");
    if let Some(given) = query.split('&').find_map(|pair| pair.strip_prefix("token="))
        && same(given, token)
    {
        // The token leaves the address, where others may see it.
        let mut response = plain(StatusCode::SEE_OTHER, "");
        let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
        if let (Ok(cookie), Ok(place)) = (cookie.parse(), request.uri().path().parse()) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            response.headers_mut().insert(header::LOCATION, place);
        }
        return Err(Box::new(response));
    }
    let bearer = text(header::AUTHORIZATION).strip_prefix("Bearer ").unwrap_or("");
    let cookie =
        text(header::COOKIE).split("; ").find_map(|pair| pair.strip_prefix(COOKIE)?.strip_prefix('='));
    if same(bearer, token) || cookie.is_some_and(|given| same(given, token)) {
        Ok(())
    } else {
        Err(Box::new(plain(StatusCode::UNAUTHORIZED, "a token is needed: open this address with ?token=...")))
    }
}

/// Equality whose time does not tell how much is equal.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

async fn show(server: Arc<Server>, path: String) -> Response<Body> {
    let path = path.trim_start_matches('/').to_string();
    let path = if path.is_empty() { "index.html".into() } else { path };
    let rendered = tokio::task::spawn_blocking(move || {
        let store = server.store.lock().expect("the lock is never poisoned");
        page::render(&store, &path, Look { live: true, now: now() })
    });
    match rendered.await {
        Ok(Ok(Some(file))) => {
            let mut response = Response::new(Body::from(file.body));
            response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(file.media));
            response
        }
        Ok(Ok(None)) => plain(StatusCode::NOT_FOUND, "there is no such page"),
        Ok(Err(error)) => plain(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "the page could not be made"),
    }
}

fn events(server: &Server) -> Response<Body> {
    let receiver = server.news.subscribe();
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async move {
        let event = match receiver.recv().await {
            Ok(News::Finding(row)) => Event::default().event("finding").data(row),
            // Who was too slow asks for everything again.
            Ok(News::Change) | Err(broadcast::error::RecvError::Lagged(_)) => {
                Event::default().event("change").data("1")
            }
            Err(broadcast::error::RecvError::Closed) => return None,
        };
        Some((Ok::<_, Infallible>(event), receiver))
    });
    Sse::new(stream).keep_alive(KeepAlive::default()).into_response()
}

/// Whether a form comes from a page of ours.
fn is_own(headers: &HeaderMap, host: &str) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin =
        text("origin").is_none_or(|origin| origin.split_once("://").is_some_and(|(_, name)| name == host));
    let site = text("sec-fetch-site").is_none_or(|site| site == "same-origin" || site == "none");
    origin && site
}

async fn set_state(server: Arc<Server>, request: Request) -> Response<Body> {
    let host =
        request.headers().get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or("").to_string();
    if !is_own(request.headers(), &host) {
        return plain(StatusCode::FORBIDDEN, "this form is not of this page");
    }
    let Ok(bytes) = to_bytes(request.into_body(), FORM).await else {
        return plain(StatusCode::PAYLOAD_TOO_LARGE, "the form is too large");
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let field = |name: &str| {
        text.split('&').find_map(|pair| Some(unescape(pair.strip_prefix(name)?.strip_prefix('=')?)))
    };
    let (Some(fingerprint), Some(state)) =
        (field("fingerprint"), field("state").and_then(|word| FindingState::from_word(&word)))
    else {
        return plain(StatusCode::BAD_REQUEST, "a fingerprint and a state are needed");
    };
    let url = field("url").filter(|url| !url.is_empty());
    if url
        .as_ref()
        .is_some_and(|url| url.len() > 500 || !(url.starts_with("https://") || url.starts_with("http://")))
    {
        return plain(StatusCode::BAD_REQUEST, "the address of a report starts with https://");
    }
    let release = field("release").filter(|release| !release.is_empty() && release.len() <= 100);
    let set = tokio::task::spawn_blocking(move || {
        let mut store = server.store.lock().expect("the lock is never poisoned");
        store.set_state(&fingerprint, state, url.as_deref(), release.as_deref())
    });
    let page = field("page").filter(|page| {
        crate::guard::is_relative(page) && page.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    });
    match set.await {
        Ok(Ok(true)) => {
            let mut response = plain(StatusCode::SEE_OTHER, "set");
            let place = page.map_or("/findings.html".into(), |page| format!("/finding/{page}.html"));
            if let Ok(place) = place.parse() {
                response.headers_mut().insert(header::LOCATION, place);
            }
            response
        }
        Ok(Ok(false)) => plain(StatusCode::NOT_FOUND, "there is no such finding"),
        Ok(Err(error)) => plain(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "the state could not be set"),
    }
}

/// A field of a form as it was typed.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'+' => bytes.push(b' '),
            b'%' if after.len() >= 2 => {
                let pair =
                    std::str::from_utf8(&after[..2]).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
                bytes.push(pair.unwrap_or(b'%'));
                rest = if pair.is_some() { &after[2..] } else { after };
            }
            other => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_they_were_typed() {
        assert_eq!(unescape("a+b%2Fc%zz%"), "a b/c%zz%");
        assert_eq!(unescape("%C3%A9%FF"), "é\u{fffd}");
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab"));
    }

    #[test]
    fn foreign_forms_are_refused() {
        let mut headers = HeaderMap::new();
        assert!(is_own(&headers, "localhost:1"));
        headers.insert("origin", header::HeaderValue::from_static("http://localhost:1"));
        assert!(is_own(&headers, "localhost:1"));
        headers.insert("origin", header::HeaderValue::from_static("http://evil.example"));
        assert!(!is_own(&headers, "localhost:1"));
    }

    #[test]
    fn other_addresses_want_a_token_and_a_port_in_use_is_said() {
        let stop = AtomicBool::new(true);
        let open = ServeSettings { listen: "0.0.0.0:0".parse().expect("an address"), token: None };
        let store = || Store::in_memory().expect("a store");
        let error = serve(store(), &open, &stop, &mut |_| {}).expect_err("refused").to_string();
        assert!(error.contains("--token"), "{error}");
        let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let listen = taken.local_addr().expect("an address");
        let error = serve(store(), &ServeSettings { listen, token: None }, &stop, &mut |_| {})
            .expect_err("taken")
            .to_string();
        assert!(error.contains(&format!("cannot listen on {listen}")), "{error}");
    }
}
