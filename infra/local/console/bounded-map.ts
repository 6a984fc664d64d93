/** A map that drops its oldest entries when it has too many entries or bytes. */
interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  /** Adds an entry, or replaces the value of an entry. A replaced entry keeps its place in the order. */
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Oldest first. */
  values(): V[];
  /** The estimated size of all entries. */
  bytes(): number;
}

/**
 * `sizeOf` estimates the bytes of an entry. A new entry above the byte limit removes itself and all other
 * entries.
 */
export function boundedMap<K, V>(
  limit: { count: number; bytes: number },
  sizeOf: (value: V) => number,
): BoundedMap<K, V> {
  const entries = new Map<K, { value: V; size: number }>();
  let bytes = 0;

  function remove(key: K): void {
    bytes -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  return {
    get: (key) => entries.get(key)?.value,
    set(key, value) {
      const size = sizeOf(value);
      bytes += size - (entries.get(key)?.size ?? 0);
      entries.set(key, { value, size });
      for (const oldest of entries.keys()) {
        if (entries.size <= limit.count && bytes <= limit.bytes) return;
        remove(oldest);
      }
    },
    delete: remove,
    values: () => [...entries.values()].map(({ value }) => value),
    bytes: () => bytes,
  };
}
