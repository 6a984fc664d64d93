import { ApiError, statusOf } from '../../errors.ts';
import type { Actor, Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Authored, authoredBy } from '../../table/revise.ts';
import { documentRules } from '../applications/completeness/rules.ts';
import { approveApplication, decideApplication } from '../applications/decision/decide-application.ts';
import type { InfoRequest } from '../applications/record/schema.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { assignUnderwriting } from '../applications/underwriting/assign-underwriting.ts';
import { decisionMade, underwritingChanged } from '../applications/underwriting/underwriting-events.ts';
import type { DecisionInput } from '../applications/underwriting/underwriting-schema.ts';
import { merchantCreated } from '../merchants/event-fields.ts';
import type { MerchantChangeRequest } from '../merchants/new-merchant.ts';
import { merchants } from '../merchants/store.ts';
import type { RuleAction, StoredRule } from './schema.ts';

/** The parts of a submission's request that actions use. */
interface ActingRequest extends Omit<MerchantChangeRequest, 'principal'> {
  account: AccountId;
  /** The ids of the underwriters in the rules who are active users. */
  activeUnderwriters: ReadonlySet<string>;
}

interface Acted extends Effects {
  after: StoredApplication;
}

/** Requests for information beyond this number are omitted, as in the decision of a person. */
const maxRequested = 20;

/** The name of a rule as the author of a change: `rule:<id>@<version>`. */
const ruleActor = ({ id, ruleVersion }: Pick<StoredRule, 'id' | 'ruleVersion'>): string =>
  `rule:${id}@${ruleVersion}`;

/**
 * Performs the action of a rule on a submitted application, with the same decision, events and merchant as for a person. If
 * the rule cannot act, returns the problem, because the submission must still succeed. Throws `busy`.
 */
export async function act(
  rule: StoredRule,
  submitted: StoredApplication,
  request: ActingRequest,
): Promise<Acted | { problem: string }> {
  const user = ruleActor(rule);
  try {
    const acted = await perform(rule, submitted, { ...request, ...authoredBy(user, request.now) });
    const actor: Actor = { user, apiKey: null };
    return { ...acted, events: acted.events.map((event) => ({ ...event, actor })) };
  } catch (error) {
    if (!(error instanceof ApiError) || statusOf(error.code) >= 500) throw error;
    const [detail] = error.details ?? [];
    return { problem: detail ? `${detail.field} ${detail.message}` : error.message };
  }
}

function perform(
  rule: StoredRule,
  submitted: StoredApplication,
  request: ActingRequest & Authored,
): Acted | Promise<Acted> {
  const { action } = rule;
  switch (action.kind) {
    case 'approve':
      return approve(
        submitted,
        { decision: 'approved', ...(action.reason && { reason: action.reason }) },
        request,
      );
    case 'request_information':
      return requestInformation(rule, submitted, action, request);
    case 'assign':
      return assign(submitted, action, request);
    case 'flag': {
      const flag = { ruleId: rule.id, version: rule.ruleVersion, reason: action.reason ?? '' };
      return {
        after: { ...submitted, admin: { ...submitted.admin, flags: [flag] } },
        writes: [],
        events: [],
      };
    }
  }
}

async function approve(
  submitted: StoredApplication,
  decision: DecisionInput,
  request: ActingRequest & Authored,
): Promise<Acted> {
  const decided = decideApplication(submitted, decision, request);
  const { after, merchant } = await approveApplication(decided, { ...request, body: decision });
  return {
    after,
    writes: merchants.insert(merchant),
    events: [...decisionMade(after, decision), ...merchantCreated(merchant)],
  };
}

function requestInformation(
  { id }: StoredRule,
  submitted: StoredApplication,
  { reason, requested = [] }: RuleAction,
  request: Authored,
): Acted {
  const items = requested.flatMap((item) => requestsFor(submitted, item)).slice(0, maxRequested);
  const decision: DecisionInput = { decision: 'info_requested', reason, requested: items };
  const decided = decideApplication(submitted, decision, request);
  const requestedByRules = [...(decided.requestedByRules ?? []), id];
  return { after: { ...decided, requestedByRules }, writes: [], events: decisionMade(decided, decision) };
}

/** Returns a request for each owner if each owner has the document, otherwise one request. */
function requestsFor({ businessOwners }: StoredApplication, item: InfoRequest): InfoRequest[] {
  const { documentKey } = item;
  const ofOwners = documentRules.some(({ id, eachOwner }) => id === documentKey && eachOwner);
  return ofOwners
    ? businessOwners.map(({ uniqueId }) => ({ ...item, documentKey: `${documentKey}_${uniqueId}` }))
    : [item];
}

function assign(
  submitted: StoredApplication,
  { assignedTo, priority }: RuleAction,
  request: ActingRequest & Authored,
): Acted {
  if (assignedTo !== undefined && !request.activeUnderwriters.has(assignedTo))
    throw new ApiError('user_unknown', {
      details: [{ field: 'assignedTo', message: 'is not an active user of this account' }],
    });
  const after = assignUnderwriting(submitted, { assignedTo, priority }, request);
  return { after, writes: [], events: underwritingChanged(submitted, after) };
}
