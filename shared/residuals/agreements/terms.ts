import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { processorKey } from '../amounts/schema.ts';
import type { AgreementScope, AgreementVersion } from './schema.ts';
import type { StoredAgreement } from './store.ts';

/** The version of an agreement that applies in a month. `hasEnded`: only the share after the end applies. */
export interface AppliedTerms {
  terms: AgreementVersion;
  hasEnded: boolean;
}

/** The parts of an agreement that decide where it applies. */
export type Applying = Pick<StoredAgreement, 'id' | 'beneficiary' | 'scope' | 'versions'>;

/** Returns the terms of an agreement in a month. Undefined if it does not apply. */
export function termsIn({ versions }: Pick<Applying, 'versions'>, month: string): AppliedTerms | undefined {
  const terms = versions.findLast(({ validFrom }) => validFrom <= month);
  if (!terms) return undefined;
  const { validTo, shareAfterEnd } = terms;
  const hasEnded = validTo !== undefined && month > validTo;
  return hasEnded && shareAfterEnd === undefined ? undefined : { terms, hasEnded };
}

/** Returns the name of a scope. Two agreements with the same name are about the same rows. */
export function scopeName({ mid, merchantId, processor }: AgreementScope): string {
  if (mid !== undefined) return `mid:${mid.trim().toUpperCase()}`;
  if (merchantId !== undefined) return `merchant:${merchantId}`;
  return processor === undefined ? 'default' : `processor:${processorKey(processor)}`;
}

/** The months in which an agreement may begin or cease to apply. */
const changesOf = ({ versions }: Pick<Applying, 'versions'>): string[] =>
  versions.flatMap(({ validFrom, validTo }) =>
    validTo === undefined ? [validFrom] : [validFrom, after(validTo)],
  );

/** Returns the month after a month. */
function after(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** Returns the first agreement with the same scope that applies in a same month as another one, and the month. */
export function conflictOf(
  one: Applying,
  others: readonly Applying[],
): { other: Applying; month: string } | undefined {
  const name = scopeName(one.scope);
  for (const other of others) {
    if (other.id === one.id || scopeName(other.scope) !== name) continue;
    const months = [...changesOf(one), ...changesOf(other)].sort();
    const month = months.find((at) => termsIn(one, at) && termsIn(other, at));
    if (month !== undefined) return { other, month };
  }
  return undefined;
}

/**
 * Returns the beneficiaries of a cycle, in which each is above the one before, and the last is the first again. Undefined if
 * there is none in the months of the agreement.
 */
export function cycleWith(one: Applying, others: readonly Applying[]): string[] | undefined {
  const all = [one, ...others.filter(({ id }) => id !== one.id)];
  const months = new Set(all.flatMap(changesOf));
  for (const month of [...months].sort()) {
    const cycle = cycleIn(edgesIn(all, month));
    if (cycle) return cycle;
  }
  return undefined;
}

/** Maps each beneficiary to those directly above it in a month. */
function edgesIn(all: readonly Applying[], month: string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { beneficiary, versions } of all) {
    const applied = termsIn({ versions }, month);
    if (!applied || applied.hasEnded) continue;
    const chain = [beneficiary, ...(applied.terms.overrides ?? []).map((one) => one.beneficiary)].map(
      beneficiaryKey,
    );
    for (const [level, above] of chain.slice(1).entries()) {
      const below = chain[level] ?? '';
      edges.set(below, (edges.get(below) ?? new Set()).add(above));
    }
  }
  return edges;
}

/** Finds a cycle by a search in depth without recursion, because a chain over many agreements can be long. */
function cycleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  for (const start of edges.keys()) {
    const path: { name: string; next: Iterator<string> }[] = [];
    const enter = (name: string) =>
      path.push({ name, next: (edges.get(name) ?? new Set<string>()).values() });
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { done: isOver, value } = top.next.next();
      if (isOver) {
        done.add(top.name);
        path.pop();
      } else {
        const from = path.findIndex(({ name }) => name === value);
        if (from >= 0) return [...path.slice(from).map(({ name }) => name), value];
        if (!done.has(value)) enter(value);
      }
    }
  }
  return undefined;
}
