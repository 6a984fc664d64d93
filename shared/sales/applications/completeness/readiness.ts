import { type FilledForm, sectionOf } from '../record/form-fields.ts';
import { type AppStatus, type InfoRequest, processingMethods } from '../record/schema.ts';
import type { Readiness, ReadinessRequest, ReadinessStep } from './readiness-schema.ts';
import { type Completeness, completenessOf } from './required-items.ts';
import { canSubmit, missingMessage } from './validate-application.ts';

type Blocks = ReadinessStep['blocks'];
/** The fields and the document of a step of any kind. */
type Targets = Pick<ReadinessRequest, 'field' | 'or' | 'documentKey'>;

/** Reports whether two steps have a field or document in common. One entry or upload completes both. */
function isSame(one: ReadinessStep, other: ReadinessStep): boolean {
  const targets = ({ field, or, documentKey }: Targets) => [field, or, documentKey];
  return targets(one).some((target) => target !== undefined && targets(other).includes(target));
}

/** The missing items that rules require: fields in the order of the form, then documents. */
function missingSteps({ missing: { fields, documents } }: Completeness, blocks: Blocks): ReadinessStep[] {
  return [
    ...fields.map(
      (needed): ReadinessStep => ({
        kind: 'field',
        section: needed.section,
        field: needed.field,
        ...(needed.or && { or: needed.or }),
        message: missingMessage(needed),
        rule: needed.rule,
        facts: [...needed.facts],
        blocks,
      }),
    ),
    ...documents.map(
      ({ key, rule, owner, facts }): ReadinessStep => ({
        kind: 'document',
        documentKey: key,
        message: owner?.name ? `${rule.name} of ${owner.name}` : rule.name,
        rule: rule.id,
        facts: [...facts],
        blocks,
      }),
    ),
  ];
}

/** The underwriter's requests that are not answered yet. */
const requestSteps = (requests: readonly InfoRequest[]): ReadinessStep[] =>
  requests
    .filter(({ answered }) => !answered)
    .map(
      ({ field, documentKey, message }): ReadinessStep => ({
        kind: 'request',
        ...(field !== undefined && { section: sectionOf(field), field }),
        ...(documentKey !== undefined && { documentKey }),
        message,
        rule: 'underwriter_request',
        facts: [],
        blocks: ['decision'],
      }),
    );

/** Merges steps that have a field or document in common. A merged step has the position of the first of its steps. */
function merged(steps: readonly ReadinessStep[]): ReadinessStep[] {
  const kept: ReadinessStep[] = [];
  for (const step of steps) {
    const at = kept.findIndex((one) => isSame(one, step));
    const same = kept[at];
    if (!same) kept.push(step);
    else
      kept[at] = {
        ...step,
        ...same,
        message: step.kind === 'request' ? `${same.message} ${step.message}` : same.message,
        facts: [...same.facts, ...step.facts],
        blocks: [...new Set([...same.blocks, ...step.blocks])],
      };
  }
  return kept;
}

/**
 * Returns all remaining steps: open requests of the underwriter, then fields in the order of the form, then documents.
 * For each other processing method, `otherwise` lists the steps that `next` would gain and lose. If `requireComplete`
 * is set, missing items also block the submission.
 */
export function readiness(
  form: FilledForm & { status: AppStatus },
  infoRequested: readonly InfoRequest[] = [],
  requireComplete = false,
): Readiness {
  const blocks: Blocks = requireComplete ? ['completion', 'submission'] : ['completion'];
  const stepsOf = (completeness: Completeness) =>
    merged([...requestSteps(infoRequested), ...missingSteps(completeness, blocks)]);
  const own = completenessOf(form);
  const next = stepsOf(own);
  const without = (steps: ReadinessStep[], others: ReadinessStep[]) =>
    steps.filter((step) => !others.some((other) => isSame(step, other)));

  return {
    isComplete: own.isComplete,
    canSubmit: canSubmit(form, own, requireComplete),
    processingMethod: own.method.method,
    next,
    otherwise: processingMethods
      .filter((method) => method !== own.method.method)
      .map((method) => {
        const steps = stepsOf(completenessOf(form, method));
        return { processingMethod: method, adds: without(steps, next), drops: without(next, steps) };
      }),
  };
}

/** Removes facts with a threshold: an applicant could enter a number just below the threshold to avoid the rule. */
export function readinessForApplicant({ next, otherwise, ...rest }: Readiness): Readiness {
  const hide = (steps: readonly ReadinessStep[]) =>
    steps.map((step) => ({ ...step, facts: step.facts.filter(({ threshold }) => threshold === undefined) }));
  return {
    ...rest,
    next: hide(next),
    otherwise: otherwise.map(({ adds, drops, ...one }) => ({ ...one, adds: hide(adds), drops: hide(drops) })),
  };
}
