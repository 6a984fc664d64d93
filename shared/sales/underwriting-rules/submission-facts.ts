import type { Encrypted } from '../../security/encrypted-value.ts';
import type { ResolvedMethod, SecretFacts } from '../applications/completeness/condition.ts';
import type { Completeness } from '../applications/completeness/required-items.ts';
import { findWarnings } from '../applications/completeness/rules.ts';
import { objectSections } from '../applications/record/fields.ts';
import type { TestedForm } from '../applications/record/form-fields.ts';
import { ownerPath, sensitiveApplicationValues } from '../applications/record/sensitive-values.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { assessRisk } from '../applications/underwriting/assess-risk.ts';
import type { Duplicate } from '../duplicate-detection/find-duplicates.ts';

/**
 * Everything that rules may use, as it was at a submission. `submissionFacts` creates this object. A rule is evaluated only
 * with this object, at a submission and in a test. Therefore both have the same result.
 */
export interface SubmissionFacts {
  /** The form without sensitive values, and the sections with derived facts. */
  form: TestedForm & DerivedSections;
  method: ResolvedMethod;
  /** The number of sensitive values that are also in other records. */
  collisions: number;
  /** The ids of rules that requested information from the application before. */
  requestedBy: readonly number[];
  submittedAt: string;
}

/** The facts of a submission that are not fields of the form, in the notation of sections. */
interface DerivedSections {
  risk: { score: number; level: string };
  readiness: { isComplete: boolean; percentage: number; missingFields: number; warnings: number };
  documents: { percentage: number; missing: number };
  owners: { count: number };
  application: { createdAt: string; completedAt?: string };
}

/** Returns the facts of a submission. The object is equal to its copy as JSON. */
export function submissionFacts(
  application: StoredApplication,
  {
    completeness,
    duplicates,
    now,
  }: { completeness: Completeness; duplicates: readonly Duplicate[]; now: Date },
): SubmissionFacts {
  const { method, missing, isComplete, percentage } = completeness;
  const { score, level } = assessRisk(application, duplicates.length);
  const required = completeness.documents.filter((document) => document.required);
  const uploaded = required.length - missing.documents.length;
  const { createdAt, completedAt } = application;
  return JSON.parse(
    JSON.stringify({
      form: {
        ...withoutSecrets(application, new Set(duplicates.map(({ field }) => field))),
        risk: { score, level },
        readiness: {
          isComplete,
          percentage,
          missingFields: missing.fields.length,
          warnings: findWarnings(application, method).length,
        },
        documents: {
          percentage: required.length === 0 ? 100 : Math.floor((100 * uploaded) / required.length),
          missing: missing.documents.length,
        },
        owners: { count: application.businessOwners.length },
        application: { createdAt, completedAt },
      },
      method,
      collisions: duplicates.length,
      requestedBy: application.requestedByRules ?? [],
      submittedAt: now.toISOString(),
    } satisfies SubmissionFacts),
  );
}

/**
 * Returns the form with facts in place of sensitive values: the faults, and whether another record has the same value. The
 * keyed hashes are replaced by numbers, which show only that two values of the form are equal.
 */
function withoutSecrets(application: StoredApplication, duplicated: ReadonlySet<string>) {
  const blinds = new Map<string, string>();
  const numberOf = (blind: string): string => {
    const number = blinds.get(blind) ?? String(blinds.size + 1);
    blinds.set(blind, number);
    return number;
  };
  const factsOf = ({ faults, blind }: Encrypted, path: string): SecretFacts => ({
    faults,
    ...(blind !== undefined && { blind: numberOf(blind) }),
    ...(duplicated.has(path) && { duplicate: true }),
  });
  const secrets = new Map(
    sensitiveApplicationValues(application).map(({ path, encrypted }) => [path, factsOf(encrypted, path)]),
  );
  const shown = (fields: object, pathOf: (field: string) => string) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, secrets.get(pathOf(field)) ?? value]),
    );
  return {
    ...Object.fromEntries(
      objectSections.map((section) => [
        section,
        shown(application[section] ?? {}, (field) => `${section}.${field}`),
      ]),
    ),
    businessOwners: application.businessOwners.map((owner) => ({
      ...shown(owner, (field) => ownerPath(owner.uniqueId, field)),
      uniqueId: owner.uniqueId,
    })),
  };
}
