import type { Caller, TriggeredSubject } from './caller.ts';

/** Performs an action that causes an event. */
export type Act = (caller: Caller) => Promise<TriggeredSubject>;

/** Explains why this command cannot cause an event, and how the event occurs. */
export interface NotPossible {
  because: string;
}

export type Trigger = Act | NotPossible;

/** Returns actions that create a record and then send a request to its path, or to a path `below` it. */
export const on =
  (create: (caller: Caller) => Promise<{ id: string; path: string }>) =>
  (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', below = '', body?: object): Act =>
  async (caller) => {
    const { id, path } = await create(caller);
    await caller.send(method, path + below, body);
    return { id };
  };
