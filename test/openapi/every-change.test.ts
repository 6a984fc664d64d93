import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incompatibilities } from '../../infra/openapi/compatibility.ts';
import { readPublished } from '../../infra/openapi/published-file.ts';
import {
  isBreaking,
  operationMutations,
  operationPlaces,
  schemaMutations,
  schemaPlaces,
  withValue,
} from './mutations.ts';

const document = readPublished();
const operations = operationPlaces(document);
const schemas = schemaPlaces(document);
/** Each kind of change is made at this number of places at most. */
const places = 4;

test.each([
  ...Object.entries(schemaMutations).map(([name, mutation]) => ['schema', name, mutation, schemas] as const),
  ...Object.entries(operationMutations).map(
    ([name, mutation]) => ['operation', name, mutation, operations] as const,
  ),
])('a change of the document, %s: %s', (_, __, mutation, all) => {
  const changeable = all.flatMap((place) => {
    const changed = mutation.change(place.value, place);
    return changed ? [{ place, changed }] : [];
  });
  fc.assert(
    fc.property(fc.constantFrom(...changeable), ({ place, changed: { value, field = '' } }) => {
      const sentences = incompatibilities(document, withValue(document, place.keys, value));
      if (!isBreaking(mutation, place)) expect(sentences).toEqual([]);
      else expect(sentences.filter((sentence) => names(sentence, [...place.names, field]))).not.toEqual([]);
    }),
    { numRuns: places, seed: 20261129 },
  );
});

/** A sentence names the schema `LeadQualification` also as `Lead.qualification`: the field whose schema it is. */
const names = (sentence: string, texts: readonly string[]): boolean =>
  texts.every((text) => withoutDots(sentence).includes(withoutDots(text)));
const withoutDots = (text: string): string => text.replaceAll('.', '').toLowerCase();
