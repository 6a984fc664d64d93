import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatch, type PatchOperation, readOperations } from '../../../shared/provisioning/apply-patch.ts';
import { patchedUser } from '../../../shared/provisioning/scim-user.ts';

const patch = (before: Record<string, unknown>, ...list: object[]) =>
  applyPatch(patchedUser, before, readOperations({ Operations: list }));

const work = { value: 'ada@work.test', type: 'work' };
const home = { value: 'ada@home.test', type: 'home' };

/** Each row: the resource before, the operations, the resource after. */
const rows: [string, Record<string, unknown>, object[], object][] = [
  [
    'a path with a filter creates a missing element',
    {},
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'ada@work.test' }],
    { emails: [work] },
  ],
  [
    'a replacement with a filter creates a missing element',
    { emails: [home] },
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@work.test' }],
    { emails: [home, work] },
  ],
  [
    'a path with a filter changes only the chosen element',
    { emails: [work, home] },
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'new@work.test' }],
    { emails: [{ ...work, value: 'new@work.test' }, home] },
  ],
  [
    'a missing parent is created',
    {},
    [{ op: 'add', path: 'name.givenName', value: 'Ada' }],
    { name: { givenName: 'Ada' } },
  ],
  [
    'without a path, each field is changed',
    { active: true },
    [{ op: 'Replace', value: { active: 'False', displayName: 'Ada' } }],
    { active: 'False', displayName: 'Ada' },
  ],
  [
    'without a path, a field can be a path',
    {},
    [{ op: 'Add', value: { 'name.familyName': 'Byron', 'emails[type eq "work"].value': 'ada@work.test' } }],
    { name: { familyName: 'Byron' }, emails: [work] },
  ],
  [
    'without a path, an id is ignored',
    { displayName: 'Ada' },
    [{ op: 'replace', value: { id: '17', displayName: 'Countess' } }],
    { displayName: 'Countess' },
  ],
  [
    'a path can contain the schema',
    {},
    [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'Ada' }],
    { displayName: 'Ada' },
  ],
  [
    'other schemas and attributes are ignored',
    { displayName: 'Ada' },
    [
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'R',
      },
      { op: 'add', path: 'addresses[type eq "work"].locality', value: 'Reno' },
      { op: 'add', value: { title: 'Countess' } },
    ],
    { displayName: 'Ada' },
  ],
  [
    'names do not depend on case',
    { displayName: 'Ada' },
    [{ op: 'REPLACE', path: 'DisplayName', value: 'B' }],
    { displayName: 'B' },
  ],
  [
    'a removal with a list of values removes these elements',
    { emails: [work, home] },
    [{ op: 'Remove', path: 'emails', value: [{ value: 'ada@home.test' }] }],
    { emails: [work] },
  ],
  [
    'a removal with a filter removes the chosen elements',
    { emails: [work, home] },
    [{ op: 'remove', path: 'emails[value eq "ada@home.test"]' }],
    { emails: [work] },
  ],
  [
    'a removal without a value removes the attribute',
    { emails: [work] },
    [{ op: 'remove', path: 'emails' }],
    {},
  ],
  [
    'the removal of a missing element changes nothing',
    { emails: [work] },
    [{ op: 'remove', path: 'emails[type eq "home"]' }],
    { emails: [work] },
  ],
  [
    'a value of null removes an attribute',
    { displayName: 'Ada' },
    [{ op: 'replace', path: 'displayName', value: null }],
    {},
  ],
  [
    'an empty text removes an attribute',
    { externalId: 'x' },
    [{ op: 'replace', value: { externalId: '' } }],
    {},
  ],
  [
    'a wrapped value is unwrapped',
    { active: true },
    [{ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }],
    { active: 'False' },
  ],
  [
    'an element is added once',
    { emails: [work] },
    [{ op: 'add', path: 'emails', value: [work, work, home] }],
    { emails: [work, home] },
  ],
  [
    'only one element is primary',
    { emails: [{ ...work, primary: true }] },
    [{ op: 'add', path: 'emails', value: { ...home, primary: 'True' } }],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: 'True' },
      ],
    },
  ],
  [
    'a new primary element replaces the earlier one',
    { emails: [{ ...work, primary: true }, home] },
    [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  [
    'a replacement replaces the list',
    { emails: [work] },
    [{ op: 'replace', path: 'emails', value: [home] }],
    { emails: [home] },
  ],
];

test.each(rows)('%s', (_, before, operations, after) => {
  const copy = structuredClone(before);
  expect(patch(before, ...operations)).toEqual(after);
  expect(before).toEqual(copy);
});

describe('a PATCH is rejected', () => {
  test.each([
    [[], 'scim_value_invalid'],
    [[{ op: 'move', path: 'active' }], 'scim_value_invalid'],
    [[{ op: 'remove' }], 'scim_target_missing'],
    [[{ op: 'add', value: 'text' }], 'scim_value_invalid'],
    [[{ op: 'add', path: 'emails[', value: 'text' }], 'scim_path_invalid'],
    [[{ op: 'add', path: 'active.value', value: true }], 'scim_path_invalid'],
    [[{ op: 'add', path: 'name[givenName eq "a"]', value: 'b' }], 'scim_path_invalid'],
    [[{ op: 'replace', path: 'id', value: '1' }], 'scim_attribute_fixed'],
    [[{ op: 'add', path: 'groups', value: [] }], 'scim_attribute_fixed'],
    [[{ op: 'add', path: 'emails[type ne "work"].value', value: 'a' }], 'scim_target_missing'],
    [[{ op: 'add', path: 'name', value: 'Ada' }], 'scim_value_invalid'],
  ])('%j: %s', (list, code) => {
    expect(() => patch({}, ...list)).toThrow(expect.objectContaining({ code }));
  });
});

/** A naive model: a map of values, and a list of elements with one value for each type. */
test('random sequences have the same effect as on a naive model', () => {
  const types = fc.constantFrom('work', 'home', 'other');
  const text = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('set' as const),
      name: fc.constantFrom('displayName', 'externalId'),
      value: text,
    }),
    fc.record({ kind: fc.constant('clear' as const), name: fc.constantFrom('displayName', 'externalId') }),
    fc.record({
      kind: fc.constant('element' as const),
      type: types,
      value: text,
      op: fc.constantFrom('add', 'Replace'),
    }),
    fc.record({ kind: fc.constant('without' as const), type: types }),
    fc.record({ kind: fc.constant('all' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, together) => {
      const fields = new Map<string, string>();
      const elements = new Map<string, string>();
      const operations: PatchOperation[] = [];
      for (const one of steps) {
        if (one.kind === 'set') {
          fields.set(one.name, one.value);
          operations.push({ op: 'replace', value: { [one.name]: one.value } });
        } else if (one.kind === 'clear') {
          fields.delete(one.name);
          operations.push({ op: 'remove', path: one.name });
        } else if (one.kind === 'element') {
          elements.set(one.type, one.value);
          const op = one.op.toLowerCase() as 'add';
          operations.push({ op, path: `emails[type eq "${one.type}"].value`, value: one.value });
        } else if (one.kind === 'without') {
          elements.delete(one.type);
          operations.push({ op: 'remove', path: `emails[type eq "${one.type}"]` });
        } else {
          elements.clear();
          operations.push({ op: 'remove', path: 'emails' });
        }
      }
      const patched = together
        ? applyPatch(patchedUser, {}, operations)
        : operations.reduce((resource, one) => applyPatch(patchedUser, resource, [one]), {});
      expect(patched).toEqual({
        ...Object.fromEntries(fields),
        ...(elements.size > 0 && { emails: [...elements].map(([type, value]) => ({ type, value })) }),
      });
    }),
  );
});
