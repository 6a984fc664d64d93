/** Replaces parts of the SDK that our calls never use: event streams and endpoint discovery. */
export class EndpointCache {}

/** The client of S3 has a request with an event stream, which we do not send. */
export const resolveEventStreamSerdeConfig = <C>(config: C): C => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
