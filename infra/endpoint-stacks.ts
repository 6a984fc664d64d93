import type { BundledEndpoint } from './build/manifest.ts';

/**
 * The stacks that contain only endpoints, each with the first path segments of its endpoints. The stack `api` contains
 * the gateway and all other endpoints. Do not move a deployed endpoint to another stack: the deployment would fail,
 * because the old stack still has resources with the same names.
 */
const endpointStacks = [
  {
    name: 'sales',
    segments: [
      ...['leads', 'lead-sources', 'lead-rotations', 'applications', 'underwriting-rules'],
      ...['extapi', 'merchants', 'lookup'],
    ],
  },
  {
    name: 'support',
    segments: ['tickets', 'ticket-types', 'ticket-rotations', 'integrations', 'notifications', 'webhooks'],
  },
  { name: 'billing', segments: ['invoices', 'billing', 'received-invoices'] },
] as const;

export type EndpointStackName = (typeof endpointStacks)[number]['name'];

/** A stack with endpoints. */
export type ServingStackName = 'api' | EndpointStackName;

/** The names of the stacks that contain only endpoints. */
export const endpointStackNames: readonly EndpointStackName[] = endpointStacks.map(({ name }) => name);

/** The names of all stacks with endpoints. The log group of each stack has its name. */
export const servingStackNames: readonly ServingStackName[] = ['api', ...endpointStackNames];

/** Returns the name of the stack that contains an endpoint. */
export function servingStackOf({ contract }: Pick<BundledEndpoint, 'contract'>): ServingStackName {
  const segment = contract.path.split('/')[1];
  return endpointStacks.find(({ segments }) => segments.some((each) => each === segment))?.name ?? 'api';
}
