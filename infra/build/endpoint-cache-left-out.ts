/** Stands in for the SDK's cache of discovered endpoints inside a bundle: none of our clients discovers one. */
export class EndpointCache {}
