import type { Changes } from './changes.ts';

/** The data of an event that says what changed, field by field. */
export interface Changed {
  changes: Changes;
}

/** The data of an event whose kind says everything. */
export type Nothing = Record<string, never>;

/**
 * The data of every kind of event that something emits, by noun. Each noun adds its kinds in its `events.ts`;
 * kinds that belong to no noun are here. A kind that is listed nowhere cannot be emitted.
 */
export interface NounEvents {
  system: {
    api_rate_limited: { limit: number; minute: string };
    quota_exceeded: { quota: string };
    healthcheck: Nothing;
  };
  /** What was shown of an application or of a merchant; `fields` are paths. */
  shown: {
    application_sensitive_data_revealed: { fields: readonly string[] };
  };
}

type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The data of an event by its kind. */
export type EventData = Intersection<NounEvents[keyof NounEvents]>;

/** The kinds of a noun whose data is exactly `D`. */
export type KindOf<N extends keyof NounEvents, D> = {
  [K in keyof NounEvents[N]]: NounEvents[N][K] extends D ? (D extends NounEvents[N][K] ? K : never) : never;
}[keyof NounEvents[N]] &
  keyof EventData;
