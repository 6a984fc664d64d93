/** One call of a function, as the terminal and the local console show it. */
export interface Invocation {
  /** The `awsRequestId` of the call. */
  id: string;
  /** For example `leads-create-lead`, `events-relay`, `events-audit` or `schedules-sla-sweep`. */
  functionName: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  milliseconds: number;
  event: unknown;
  /** Absent if the call failed. */
  result?: unknown;
  error?: string;
  /** The calls to DynamoDB, in the order of their start. */
  calls: readonly TableCall[];
  /** The requests to other servers: the attempts of webhook deliveries. */
  requests: readonly OutgoingRequest[];
  /** The lines that the function logged. */
  lines: readonly string[];
}

/** A request that a function sent over HTTP. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** The header `webhook-id`, which contains the id of the delivered event. */
  messageId?: string;
  /** Absent if no response was received. */
  status?: number;
  milliseconds: number;
}

/** A call to DynamoDB. It contains keys and the names of attributes, but no values of attributes. */
export interface TableCall {
  /** For example `BatchGetItem` or `TransactWriteItems`. */
  operation: string;
  /** Milliseconds between the start of the invocation and the start of the call. */
  after: number;
  milliseconds: number;
  items: readonly TableCallItem[];
  /** Consumed capacity units: read units, or write units for a write. */
  units?: number;
  /** The error's name, for example `TransactionCanceledException`. */
  error?: string;
}

/** An item that a call reads or writes. For a query, the range of items. */
export interface TableCallItem {
  action: 'get' | 'query' | 'put' | 'update' | 'delete' | 'check';
  /** The name of the index, if the call is a query of an index. */
  index?: string;
  pk: string;
  /** The sort key, or the range of sort keys, for example `AUDIT# to RECORD`. */
  sk?: string;
  /** The names of written attributes. */
  attributes?: readonly string[];
}
