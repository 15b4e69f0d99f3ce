import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Collections, iterators, streams, optionals, comparators. */
public class Collect {
    interface Case { Object run() throws Exception; }
    static int count, first = 1;
    static void is(String name, Case c) {
        if (++count < first) return;
        String text;
        try { text = String.valueOf(c.run()); } catch (Throwable t) { text = "threw " + t; }
        System.out.println(count + " " + name + ": " + text);
    }
    record Person(String name, int age, String city) {}
    static List<Person> people() { return List.of(new Person("Ann", 30, "Rome"), new Person("Bob", 25, "Oslo"), new Person("Cid", 35, "Rome"), new Person("Dee", 25, "Bern")); }
    enum Day { MON, TUE, WED }
    static class Key implements Comparable<Key> { final int k; Key(int k) { this.k = k; } public int hashCode() { return k % 3; } public boolean equals(Object o) { return o instanceof Key x && x.k == k; } public int compareTo(Key o) { return Integer.compare(k, o.k); } public String toString() { return "K" + k; } }

    public static void main(String[] args) {
        if (args.length > 0) first = Integer.parseInt(args[0]);
        is("arraylist", () -> { ArrayList<Integer> l = new ArrayList<>(List.of(5, 3, 8)); l.add(1, 9); l.remove(Integer.valueOf(3)); l.remove(0); l.set(0, 7); l.addAll(List.of(1, 2, 2)); l.addAll(0, Arrays.asList(0, 0)); return l + " " + l.lastIndexOf(2) + l.size() + l.isEmpty() + l.containsAll(List.of(1, 7)) + l.retainAll(List.of(7, 2)) + l + l.equals(Arrays.asList(7, 2, 2)) + l.toArray().length + l.toArray(new Integer[0])[0]; });
        is("list bounds", () -> new ArrayList<>(List.of(1)).get(3));
        is("list bounds2", () -> new LinkedList<>().get(0));
        is("list remove bad", () -> new ArrayList<>().remove(0));
        is("immutable", () -> List.of(1).add(2));
        is("immutable null", () -> List.of(1, null));
        is("map dup", () -> Map.of("a", 1, "a", 2));
        is("unmodifiable", () -> Collections.unmodifiableList(new ArrayList<>(List.of(1))).remove(0));
        is("asList", () -> Arrays.asList(1, 2).add(3));
        is("comod", () -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3)); for (int x : l) l.remove(0); return l; });
        is("comod map", () -> { Map<Integer, Integer> m = new HashMap<>(Map.of(1, 1, 2, 2, 3, 3)); for (int k : m.keySet()) m.put(k + 10, 1); return m; });
        is("iterator", () -> { List<Integer> l = new LinkedList<>(List.of(1, 2, 3, 4)); for (Iterator<Integer> i = l.iterator(); i.hasNext();) if (i.next() % 2 == 0) i.remove(); ListIterator<Integer> li = l.listIterator(); li.next(); li.add(99); li.next(); li.set(77); return l + " " + li.previousIndex(); });
        is("iterator end", () -> new ArrayList<>().iterator().next());
        is("hashmap", () -> { Map<Key, String> m = new HashMap<>(); for (int i = 0; i < 40; i++) m.put(new Key(i), "v" + i); m.remove(new Key(7)); return m.size() + " " + m.get(new Key(8)) + m.get(new Key(7)) + m.containsKey(new Key(39)) + m.containsValue("v3") + m; });
        is("hashmap resize", () -> { Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < 1000; i++) m.put(i * 37, i); int s = 0; for (var e : m.entrySet()) s += e.getKey() ^ e.getValue(); return s + " " + m.size(); });
        is("map methods", () -> { Map<String, Integer> m = new TreeMap<>(); m.put("a", 1); m.putIfAbsent("a", 5); m.putIfAbsent("b", 2); m.compute("a", (k, v) -> v == null ? 1 : v + 10); m.computeIfPresent("b", (k, v) -> null); m.computeIfAbsent("c", String::length); m.merge("c", 5, Integer::sum); m.replaceAll((k, v) -> v * 2); return m + " " + m.getOrDefault("z", -1) + m.keySet() + m.values() + m.entrySet() + m.replace("a", 0) + m.remove("a", 9); });
        is("linkedhashmap", () -> { LinkedHashMap<String, Integer> m = new LinkedHashMap<>(16, 0.75f, true) { protected boolean removeEldestEntry(Map.Entry<String, Integer> e) { return size() > 3; } }; for (String s : "a b c a d e".split(" ")) { m.get(s); m.put(s, s.length()); } return m; });
        is("treemap", () -> { TreeMap<Integer, String> t = new TreeMap<>(Comparator.reverseOrder()); for (int i = 0; i < 100; i += 7) t.put(i, "x" + i); return t.firstKey() + " " + t.lowerKey(50) + t.higherKey(50) + t.headMap(70) + t.subMap(60, true, 30, false) + t.pollLastEntry() + t.descendingKeySet().first() + t.navigableKeySet().size(); });
        is("treemap null", () -> new TreeMap<String, Integer>().put(null, 1));
        is("treeset", () -> { TreeSet<String> t = new TreeSet<>(List.of("pear", "fig", "apple")); return t + " " + t.first() + t.ceiling("b") + t.headSet("g") + t.descendingSet() + t.pollFirst() + t.tailSet("g", true); });
        is("treeset uncomparable", () -> new TreeSet<Object>(List.of(new Object())));
        is("enum maps", () -> { EnumMap<Day, Integer> m = new EnumMap<>(Day.class); m.put(Day.WED, 3); m.put(Day.MON, 1); EnumSet<Day> s = EnumSet.complementOf(EnumSet.of(Day.TUE)); return m + " " + s + EnumSet.allOf(Day.class) + EnumSet.noneOf(Day.class) + s.contains(Day.TUE) + m.containsKey(Day.TUE); });
        is("queue", () -> { PriorityQueue<int[]> q = new PriorityQueue<>((a, b) -> a[1] - b[1]); for (int i = 0; i < 10; i++) q.add(new int[] {i, (i * 7) % 10}); StringBuilder b = new StringBuilder(); while (!q.isEmpty()) b.append(q.poll()[0]); return b; });
        is("deque", () -> { ArrayDeque<Integer> d = new ArrayDeque<>(); d.push(1); d.offer(2); d.addFirst(0); d.offerLast(9); return d + " " + d.peekFirst() + d.peekLast() + d.pop() + d.pollLast() + d.size() + d.contains(2) + new ArrayList<>(d); });
        is("stack", () -> { Stack<Integer> s = new Stack<>(); s.push(1); s.push(2); return s.peek() + " " + s.pop() + s + s.search(1) + s.empty(); });
        is("stack empty", () -> new Stack<>().pop());
        is("deque empty", () -> new ArrayDeque<>().removeFirst());
        is("vector", () -> { Vector<Integer> v = new Vector<>(List.of(3, 1, 2)); Collections.sort(v); Hashtable<String, Integer> h = new Hashtable<>(); h.put("k", 1); return v + " " + v.elementAt(1) + h + Collections.list(v.elements()); });
        is("hashtable null", () -> new Hashtable<String, String>().put("k", null));
        is("identity", () -> { IdentityHashMap<String, Integer> m = new IdentityHashMap<>(); m.put("a", 1); m.put(new String("a"), 2); WeakHashMap<String, Integer> w = new WeakHashMap<>(); w.put("k", 1); return m.size() + " " + w; });
        is("collections", () -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6)); Collections.rotate(l, 2); Collections.swap(l, 0, 5); Collections.shuffle(l, new Random(42)); return l + " " + Collections.max(l) + Collections.min(l) + Collections.frequency(l, 3) + Collections.nCopies(3, "x") + Collections.emptyList() + Collections.singletonList(1) + Collections.disjoint(l, List.of(9)) + Collections.binarySearch(List.of(1, 3, 5), 4) + Collections.unmodifiableMap(Map.of()) + Collections.indexOfSubList(List.of(1, 2, 3), List.of(2, 3)) + Collections.addAll(l, 7); });
        is("arrays", () -> { int[] a = {5, 2, 8, 1, 9, 3}; int[] b = a.clone(); Arrays.sort(a); Arrays.sort(b, 1, 4); int[][] g = {{1, 2}, {3}}; Integer[] boxed = {3, 1, 2}; Arrays.sort(boxed, (x, y) -> y - x); int[] f = new int[4]; Arrays.fill(f, 7); Arrays.setAll(f, i -> f[i] + i); return Arrays.toString(a) + Arrays.toString(b) + Arrays.deepToString(g) + Arrays.toString(boxed) + Arrays.toString(f) + Arrays.equals(a, b) + Arrays.compare(a, b) + Arrays.mismatch(a, b) + Arrays.asList(boxed) + Arrays.toString(Arrays.copyOf(a, 8)) + Arrays.stream(a, 1, 3).sum() + Arrays.deepEquals(g, new int[][] {{1, 2}, {3}}) + Arrays.binarySearch(a, 8); });
        is("sort big", () -> { int[] a = new int[500]; long s = 12345; for (int i = 0; i < a.length; i++) { s = s * 6364136223846793005L + 1442695040888963407L; a[i] = (int) (s >>> 33); } Arrays.sort(a); long h = 0; for (int x : a) h = h * 31 + x; double[] d = new double[100]; for (int i = 0; i < 100; i++) d[i] = Math.sin(i); Arrays.sort(d); String[] w = new String[200]; for (int i = 0; i < 200; i++) w[i] = Integer.toString((i * 7919) % 1000, 36); Arrays.sort(w); return h + " " + d[0] + " " + String.join("", w).hashCode(); });
        is("parallel", () -> { int[] a = {3, 1, 2}; Arrays.parallelSort(a); Arrays.parallelPrefix(a, Integer::sum); return Arrays.toString(a) + IntStream.range(0, 1000).parallel().filter(x -> x % 3 == 0).sum() + Stream.of(1, 2, 3, 4).parallel().map(x -> x * x).collect(Collectors.toList()); });
        is("stable", () -> { List<Person> l = new ArrayList<>(people()); l.sort(Comparator.comparingInt(Person::age)); return l.stream().map(Person::name).toList() + " " + people().stream().sorted(Comparator.comparing(Person::city).thenComparing(Person::age, Comparator.reverseOrder())).map(Person::name).toList() + people().stream().sorted(Comparator.comparing(Person::name, Comparator.nullsFirst(Comparator.reverseOrder()))).map(Person::name).toList(); });
        is("sort contract", () -> { List<Integer> l = new ArrayList<>(); for (int i = 0; i < 100; i++) l.add(i % 10); l.sort(null); return l.get(50); });
        is("group", () -> people().stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.mapping(Person::name, Collectors.joining("+")))) + " " + people().stream().collect(Collectors.partitioningBy(p -> p.age() > 28, Collectors.counting())) + people().stream().collect(Collectors.averagingInt(Person::age)) + people().stream().collect(Collectors.summingInt(Person::age)) + people().stream().collect(Collectors.toMap(Person::name, Person::age)));
        is("toMap dup", () -> people().stream().collect(Collectors.toMap(Person::city, Person::name)));
        is("toMap merge", () -> people().stream().collect(Collectors.toMap(Person::city, Person::age, Integer::sum, LinkedHashMap::new)));
        is("collectors", () -> Stream.of(1, 2, 3, 4).collect(Collectors.collectingAndThen(Collectors.toList(), List::size)) + " " + Stream.of(1, 2, 3).collect(Collectors.reducing(0, x -> x * 2, Integer::sum)) + Stream.of("a", "bb").collect(Collectors.minBy(Comparator.comparing(String::length))) + Stream.of(1, 2).collect(Collectors.summarizingDouble(x -> x)) + Stream.of(1, 2, 3).collect(Collectors.teeing(Collectors.counting(), Collectors.summingInt(x -> x), (a, b) -> a + ":" + b)) + Stream.of(1, 2, 3).collect(Collectors.filtering(x -> x > 1, Collectors.toList())) + Stream.of(List.of(1), List.of(2)).collect(Collectors.flatMapping(List::stream, Collectors.toSet())) + Stream.of(3, 1).collect(Collectors.toCollection(TreeSet::new)) + Stream.of(1).collect(Collectors.toUnmodifiableList()));
        is("int streams", () -> IntStream.iterate(1, x -> x < 100, x -> x * 3).boxed().toList() + " " + IntStream.rangeClosed(1, 5).reduce(1, (a, b) -> a * b) + IntStream.of(1, 2, 3).mapToObj(x -> "n" + x).collect(Collectors.joining()) + IntStream.range(0, 10).average() + IntStream.empty().max() + IntStream.range(0, 3).mapToDouble(x -> x / 2.0).sum() + IntStream.range(0, 5).asLongStream().boxed().toList() + "hello".chars().filter(c -> c == 'l').count() + IntStream.concat(IntStream.of(1), IntStream.of(2)).sum() + IntStream.generate(() -> 4).limit(3).sum() + IntStream.range(0, 20).skip(5).takeWhile(x -> x < 9).boxed().toList() + IntStream.range(0, 9).dropWhile(x -> x < 6).boxed().toList() + IntStream.range(0, 3).noneMatch(x -> x > 5) + Arrays.toString(IntStream.range(0, 4).map(x -> 3 - x).sorted().toArray()) + new Random(7).ints(3, 0, 100).boxed().toList());
        is("streams", () -> Stream.of("x", "y", "z").reduce("", String::concat) + Stream.iterate(new int[] {0, 1}, f -> new int[] {f[1], f[0] + f[1]}).limit(10).map(f -> f[0]).toList() + Stream.of(1, 2, 2, 3).distinct().count() + Stream.of(1, 2, 3).mapToInt(Integer::intValue).max().getAsInt() + Stream.of(1, 2, 3, 4).filter(x -> x % 2 == 0).findFirst() + Stream.empty().findAny() + Stream.of(5, 1).sorted().toList() + Stream.concat(Stream.of(1), Stream.of(2)).toList() + Stream.of(1, 2, 3).allMatch(x -> x > 0) + Stream.of("a,b", "c").flatMap(s -> Arrays.stream(s.split(","))).toList() + Stream.<Integer>builder().add(1).add(2).build().toList() + Stream.of(1, 2, 3).mapMulti((Integer x, Consumer<Object> c) -> { if (x != 2) { c.accept(x); c.accept(-x); } }).toList() + Stream.generate(() -> "g").limit(2).toList() + Arrays.toString(Stream.of(1, 2).toArray(Integer[]::new)) + Stream.ofNullable(null).count());
        is("stream reuse", () -> { Stream<Integer> s = Stream.of(1); s.count(); return s.count(); });
        is("stream lazy", () -> { StringBuilder b = new StringBuilder(); Stream.of(1, 2, 3, 4).peek(x -> b.append("p" + x)).filter(x -> x > 1).peek(x -> b.append("f" + x)).anyMatch(x -> x == 3); return b; });
        is("optional", () -> Optional.of(5).map(x -> x + 1) + " " + Optional.empty().isPresent() + Optional.ofNullable((Integer) null).or(() -> Optional.of(3)).get() + Optional.of("x").flatMap(s -> Optional.of(s + s)).orElse("none") + OptionalInt.of(4) + Optional.of(1).filter(x -> x > 3).isEmpty() + Optional.of(2).stream().count() + Optional.empty().orElseGet(() -> "dflt") + OptionalDouble.empty());
        is("optional get", () -> Optional.empty().get());
        is("optional throw", () -> Optional.empty().orElseThrow(() -> new IllegalStateException("none")));
        is("optional ofnull", () -> Optional.of(null));
        is("functions", () -> { Function<Integer, Integer> f = x -> x + 1, g = x -> x * 2; BiFunction<Integer, Integer, Integer> h = Math::max; Supplier<Supplier<String>> s = () -> () -> "deep"; BinaryOperator<Integer> m = BinaryOperator.minBy(Comparator.naturalOrder()); return f.compose(g).apply(3) + " " + f.andThen(g).apply(3) + h.andThen(f).apply(2, 9) + s.get().get() + m.apply(3, 2) + Function.<Integer>identity().apply(8) + UnaryOperator.<String>identity().apply("u") + Predicate.not(String::isEmpty).and(x -> x.length() < 3).test("ab") + ((IntPredicate) x -> x > 3).negate().test(2) + ((ToIntFunction<String>) String::length).applyAsInt("four") + ((IntFunction<String>) Integer::toString).apply(7) + ((ObjIntConsumer<String>) (a, b) -> {}).getClass().isInterface(); });
        is("recursion", () -> { Map<Integer, Long> memo = new HashMap<>(); Function<Integer, Long>[] fib = new Function[1]; fib[0] = n -> n < 2 ? (long) n : memo.containsKey(n) ? memo.get(n) : put(memo, n, fib[0].apply(n - 1) + fib[0].apply(n - 2)); return fib[0].apply(60); });
        is("bitset", () -> { BitSet a = new BitSet(), b = new BitSet(); a.set(1, 10); b.set(5, 100, true); a.and(b); b.flip(7); return a + " " + b.cardinality() + a.nextSetBit(6) + b.nextClearBit(5) + a.length() + a.intersects(b) + Arrays.toString(a.toLongArray()); });
        is("sublist", () -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4, 5)); l.subList(1, 3).clear(); List<Integer> v = l.subList(0, 2); v.set(0, 42); return l + " " + v; });
        is("random", () -> { Random r = new Random(42); return r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextFloat() + " " + r.nextInt(5, 10); });
        is("copyOf", () -> List.copyOf(new ArrayList<>(List.of(1, 2))) + " " + Set.copyOf(List.of(1, 1)) + Map.copyOf(Map.of(1, 2)) + Map.entry("k", "v") + Map.ofEntries(Map.entry(1, 2)));
        is("set order", () -> { Set<String> s = new HashSet<>(); for (String w : "the quick brown fox jumps over the lazy dog".split(" ")) s.add(w); return s + " " + new HashSet<>(List.of(100, 17, 33, 1, -5)) + Set.of("only"); });
        is("spliterator", () -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4)); Spliterator<Integer> s = l.spliterator(), t = s.trySplit(); StringBuilder b = new StringBuilder(); t.forEachRemaining(b::append); s.tryAdvance(x -> b.append('|').append(x)); return b + " " + s.estimateSize(); });
        is("custom iterable", () -> { Iterable<Integer> it = () -> IntStream.range(0, 3).iterator(); int s = 0; for (int x : it) s += x; return s + " " + StreamSupport.stream(it.spliterator(), false).map(x -> x * x).toList(); });
        is("generic class", () -> { Pair<String, Integer> p = new Pair<>("a", 1); return p.swap().first + p.map(String::length, x -> x + 0.5).second; });
        is("objects", () -> Objects.equals(null, null) + " " + Objects.requireNonNullElse(null, "d") + Objects.toString(null) + Objects.hashCode(null) + Objects.isNull(3) + Objects.compare(1, 2, Integer::compare) + Objects.checkIndex(1, 2));
        is("requireNonNull", () -> Objects.requireNonNull(null, "gone"));
        is("checkIndex", () -> Objects.checkIndex(5, 3));
        is("uuid", () -> new UUID(1, 2) + " " + UUID.fromString("00000000-0000-0001-0000-000000000002").equals(new UUID(1, 2)));
    }
    static long put(Map<Integer, Long> m, int k, long v) { m.put(k, v); return v; }
    static class Pair<A, B> { A first; B second; Pair(A a, B b) { first = a; second = b; } Pair<B, A> swap() { return new Pair<>(second, first); } <C, D> Pair<C, D> map(Function<A, C> f, Function<B, D> g) { return new Pair<>(f.apply(first), g.apply(second)); } }
}
