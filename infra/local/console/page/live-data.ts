import { onUpdate } from './api.ts';

/** In milliseconds. */
const refreshEvery = 2000;

/**
 * Calls `load` immediately, every two seconds, and after each update of a topic. Returns `{ current, refresh, close }`.
 * If a later load fails, `current` keeps the last data, and the page's header reports the interruption.
 */
export async function liveData<T>(
  load: () => Promise<T>,
  update: () => void,
  topics: readonly string[] = [],
) {
  const data = { current: await load(), refresh, close };
  let [loading, again] = [false, false];
  async function refresh(): Promise<void> {
    again = loading;
    if (loading) return;
    loading = true;
    do {
      again = false;
      data.current = await load().catch(() => data.current);
    } while (again);
    loading = false;
    update();
  }
  const timer = setInterval(() => {
    if (!document.hidden) refresh();
  }, refreshEvery);
  const ends = topics.map((topic) => onUpdate(topic, refresh));
  function close(): void {
    clearInterval(timer);
    for (const end of ends) end();
  }
  return data;
}
