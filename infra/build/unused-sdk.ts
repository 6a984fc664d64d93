/** Replaces parts of the SDK that our calls never use: event streams and endpoint discovery. */
export class EndpointCache {}
