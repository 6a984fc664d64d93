import type { MessageFolder } from '../../shared/channels/channels.ts';
import type { Invocation } from './invocation.ts';

/** An HTTP request to the gateway, with its response. */
export interface Exchange {
  /** The gateway's request id, which the function receives. Absent if no function was called. */
  requestId?: string;
  /** For example `GET /leads/{leadId}`. Absent if no route matches. */
  route?: string;
  method: string;
  /** Path and query, percent-encoded. */
  target: string;
  /** Alternating names and values. */
  requestHeaders: readonly string[];
  requestBody: Buffer;
  status: number;
  responseHeaders: Readonly<Record<string, number | string | string[] | undefined>>;
  responseBody: Buffer;
  /** Milliseconds since 1970. */
  startedAt: number;
  milliseconds: number;
}

/** A message that the mailbox has stored. */
export interface StoredMessage {
  kind: MessageFolder;
  /** The id that the mailbox returned to the sender. */
  id: string;
  /** The path of the stored file. */
  file: string;
  to: string;
  /** The subject of a mail. */
  subject?: string;
}

/** One activity of the local service, which the terminal and the console show. */
export type Activity =
  | ({ type: 'exchange' } & Exchange)
  | ({ type: 'invocation' } & Invocation)
  | ({ type: 'message' } & StoredMessage);

export type OnActivity = (activity: Activity) => void;
