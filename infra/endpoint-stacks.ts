import type { BundledEndpoint } from './build/manifest.ts';

/** A stack that contains only endpoints. It has its own HTTP API. */
export interface EndpointStack {
  name: string;
  /** The first path segments of the stack's endpoints. */
  segments: readonly string[];
}

/** The stack with the HTTP API that serves all other paths. Without CloudFront, clients call this API. */
export const frontName = 'api';

/**
 * Assigns endpoints to HTTP APIs, because an HTTP API can have only 300 integrations. To add an API, add an entry. Moving
 * a segment of a deployed stage interrupts its requests, and the deployment fails: the new stack creates functions whose
 * names exist until the old stack removes them.
 */
export const endpointStacks: readonly EndpointStack[] = [
  {
    name: 'sales',
    segments: [
      ...['leads', 'lead-sources', 'lead-rotations', 'applications', 'underwriting-rules'],
      ...['extapi', 'merchants', 'lookup'],
    ],
  },
  {
    name: 'support',
    segments: [
      ...['tickets', 'ticket-types', 'ticket-rotations', 'integrations', 'notifications', 'webhooks'],
      ...['mails', 'mail-domains', 'mail-addresses'],
    ],
  },
  { name: 'billing', segments: ['invoices', 'billing', 'received-invoices'] },
  {
    name: 'residuals',
    segments: [
      ...['residual-formats', 'residual-files', 'residual-anomalies', 'residual-agreements'],
      ...['residual-adjustments', 'residual-runs', 'residual-statements', 'received-residual-statements'],
      ...['residual-payouts', 'payout-accounts', 'payout-settings'],
    ],
  },
];

/** The names of all stacks with endpoints. The log group and the HTTP API of each stack have its name. */
export const servingStackNames: readonly string[] = [frontName, ...endpointStacks.map(({ name }) => name)];

type Contracted = Pick<BundledEndpoint, 'contract'>;

const segmentOf = ({ contract }: Contracted): string => contract.path.split('/')[1] ?? '';

/** Returns the name of the stack that contains an endpoint. */
export const servingStackOf = (endpoint: Contracted, stacks = endpointStacks): string =>
  stacks.find(({ segments }) => segments.includes(segmentOf(endpoint)))?.name ?? frontName;

/**
 * Returns a path pattern of CloudFront for each first segment of endpoint stacks, with the stack's name. CloudFront uses
 * the first pattern that matches. `/tickets*` matches `/tickets` and all paths below, and also the segment `tickets-sold`:
 * so longer patterns come first. One pattern for each segment, instead of `/tickets` and `/tickets/*`, because the
 * number of patterns is limited. Throws an Error if a pattern matches a segment of the front.
 */
export function pathPatterns(
  endpoints: readonly Contracted[],
  stacks = endpointStacks,
): { pattern: string; stack: string }[] {
  const patterns = stacks
    .flatMap(({ name, segments }) => segments.map((segment) => ({ segment, stack: name })))
    .sort((one, other) => other.segment.length - one.segment.length);
  for (const endpoint of endpoints) {
    const [own, matched] = [segmentOf(endpoint), servingStackOf(endpoint, stacks)];
    const first = patterns.find(({ segment }) => own.startsWith(segment));
    if ((first?.stack ?? frontName) !== matched)
      throw new Error(
        `CloudFront would send /${own} to the stack ${first?.stack}, because of the segment ${first?.segment}. Add the segment ${own} to this stack.`,
      );
  }
  return patterns.map(({ segment, stack }) => ({ pattern: `/${segment}*`, stack }));
}
