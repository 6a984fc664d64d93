import type { Account } from '../../accounts/schema.ts';
import { ApiError, type FieldError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { apiKeys } from '../../people/apikeys/store.ts';
import { requireMayAssign } from '../../people/users/rules.ts';
import type { Membership } from '../../people/users/schema.ts';
import { requireAssignee } from '../../people/users/store.ts';
import { parseApiKey } from '../../security/key-secrets.ts';
import { type Principal, principalKeyOf, type SignedIn } from '../../security/principal.ts';
import { newRecord } from '../../table/record-fields.ts';
import { revise } from '../../table/revise.ts';
import { documentRules } from '../applications/completeness/rules.ts';
import { parseCondition } from './parse-condition.ts';
import { ruleFields } from './rule-fields.ts';
import type { RuleAction, RuleInput, RulePatch, StoredRule } from './schema.ts';
import { requireNotArchived } from './store.ts';

/** A version must be tested against this many decided applications before it becomes live without a confirmation. */
const enoughDecided = 20;

interface RuleRequest {
  principal: SignedIn;
  now: Date;
}

/** The part of a rule that determines what it does. */
type Definition = Partial<Pick<StoredRule, 'when' | 'action'>>;

/** Returns the underwriter in an action, as a member. Throws `user_unknown`. */
export const readUnderwriter = async (
  account: AccountId,
  action: RuleAction | undefined,
): Promise<Membership | undefined> =>
  action?.kind === 'assign' && action.assignedTo !== undefined
    ? requireAssignee(account, action.assignedTo)
    : undefined;

/** Throws `user_unknown` if the action names an underwriter that `namesHiddenUser` hides from the principal. */
export function requireMayName(principal: Principal, action: RuleAction | undefined): void {
  if (action?.kind === 'assign') requireMayAssign(principal, action.assignedTo);
}

/** Throws `invalid_input` with all faults of a condition and an action. */
export function checkDefinition({ when, action }: Definition, at = ''): void {
  const faults = [
    ...(when === undefined ? [] : parseCondition(when).faults),
    ...(action === undefined ? [] : faultsOfAction(action)),
  ];
  const details = faults.map(({ field, message }) => ({ field: `${at}${field}`, message }));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

function faultsOfAction(action: RuleAction): FieldError[] {
  const { kind, requested = [] } = action;
  const others = Object.keys(action).filter((name) => name !== 'kind' && !fieldsOfKind[kind].includes(name));
  const missing = requiredOfKind[kind].filter((name) => action[name] === undefined);
  const assignsNothing =
    kind === 'assign' && action.assignedTo === undefined && action.priority === undefined;
  return [
    ...others.map((name) => ({ field: `action.${name}`, message: `is not allowed with the action ${kind}` })),
    ...missing.map((name) => ({ field: `action.${name}`, message: `is required for the action ${kind}` })),
    ...(assignsNothing ? [{ field: 'action', message: 'must have assignedTo, priority or both' }] : []),
    ...faultsOfRequests(requested),
  ];
}

/** The fields that each kind of action can have, and the fields that it must have. */
const fieldsOfKind: Readonly<Record<RuleAction['kind'], readonly string[]>> = {
  approve: ['reason'],
  request_information: ['reason', 'requested'],
  assign: ['assignedTo', 'priority'],
  flag: ['reason'],
};
const requiredOfKind: Readonly<Record<RuleAction['kind'], readonly ('reason' | 'requested')[]>> = {
  approve: [],
  request_information: ['reason', 'requested'],
  assign: [],
  flag: ['reason'],
};

function faultsOfRequests(requested: NonNullable<RuleAction['requested']>): FieldError[] {
  return requested.flatMap(({ field, documentKey }, index) => {
    const at = `action.requested[${index}]`;
    if ((field === undefined) === (documentKey === undefined))
      return [{ field: at, message: 'must have either field or documentKey' }];
    if (field !== undefined && !isRequestable(field))
      return [{ field: `${at}.field`, message: 'is not a section or field of every application' }];
    if (documentKey !== undefined && !documentRules.some(({ id }) => id === documentKey))
      return [{ field: `${at}.documentKey`, message: 'is not a document of applications' }];
    return [];
  });
}

/** Reports whether a rule can request a path: a section, or a field of a section other than the owners. */
const isRequestable = (path: string): boolean =>
  Object.keys(ruleFields).some(
    (field) =>
      !notInForm.has(field.split('.')[0] ?? '') &&
      (field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[].`)) &&
      !path.includes('['),
  );

const notInForm = new Set(['risk', 'readiness', 'documents', 'owners', 'application']);

/** Returns a new rule, which is off. Throws `invalid_input`. */
export function newRule(
  request: RuleRequest & { account: AccountId; body: RuleInput },
  underwriter: Membership | undefined,
): StoredRule {
  const { body, principal } = request;
  checkDefinition(body);
  return {
    ...newRecord(request),
    ...body,
    action: withUnderwriter(body.action, underwriter),
    priority: body.priority ?? 100,
    mode: 'off',
    ruleVersion: 1,
    archived: false,
    writer: principalKeyOf(principal),
  };
}

/** Replaces the underwriter in an action by the id of this member. */
export const withUnderwriter = (action: RuleAction, underwriter: Membership | undefined): RuleAction =>
  action.kind === 'assign' && underwriter ? { ...action, assignedTo: String(underwriter.id) } : action;

/**
 * Applies a PATCH. A change of when, action or priority is a new version, which is not tested. A live rule becomes a shadow
 * rule with it, because only tested versions may act. Throws `rule_archived` and `invalid_input`.
 */
export function changedRule(
  before: StoredRule,
  { body, principal, now }: RuleRequest & { body: RulePatch },
  underwriter: Membership | undefined,
): StoredRule {
  requireNotArchived(before);
  checkDefinition(body);
  const action = body.action && withUnderwriter(body.action, underwriter);
  const after = revise(before, { ...body, action }, { principal, now });
  const { when, priority } = body;
  const defined = revise(before, { when, action, priority }, { principal, now });
  if (defined === before) return after;
  const { tested, ...untested } = after;
  return {
    ...untested,
    ruleVersion: before.ruleVersion + 1,
    writer: principalKeyOf(principal),
    mode: before.mode === 'live' ? 'shadow' : before.mode,
  };
}

/**
 * Sets the mode of a rule. Throws `rule_archived`. For `live`, also throws `rule_not_tested` if the version was not tested
 * against enough decided applications, and `rule_needs_second_person` if the account requires another administrator.
 */
export async function toggledRule(
  before: StoredRule,
  {
    body: { mode, confirmFewApplications },
    principal,
    now,
    accountRecord,
  }: RuleRequest & {
    body: { mode: StoredRule['mode']; confirmFewApplications?: boolean };
    accountRecord: Pick<Account, 'rulesNeedTwoPeople'>;
  },
): Promise<StoredRule> {
  requireNotArchived(before);
  if (mode === 'live' && before.mode !== 'live') {
    const { tested, writer } = before;
    if (!tested || (tested.decided < enoughDecided && !confirmFewApplications))
      throw new ApiError('rule_not_tested');
    const needsOther = accountRecord.rulesNeedTwoPeople;
    if (
      needsOther &&
      !(principal.administrator && (await isOtherPerson(before.accountId, writer, principal)))
    )
      throw new ApiError('rule_needs_second_person');
  }
  return revise(before, { mode }, { principal, now });
}

/**
 * Reports whether a version was written by another person. The person behind an API key is the user who created it, because
 * only this user has received the secret. If the key was deleted, its person is unknown.
 */
export async function isOtherPerson(
  account: AccountId,
  writer: string,
  principal: SignedIn,
): Promise<boolean> {
  if (!writer.startsWith('key:')) return writer !== principalKeyOf(principal);
  let key = await apiKeys.find(account, Number(writer.slice('key:'.length)));
  // A key may have created the key.
  for (let by = key && parseApiKey(key.createdBy); by; by = key && parseApiKey(key.createdBy))
    key = await apiKeys.find(account, by.id);
  return key !== undefined && key.createdBy !== principal.actor.user;
}
