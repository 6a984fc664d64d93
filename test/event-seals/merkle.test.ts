import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leafOf, pathTo, rootFromPath, rootOf } from '../../shared/integrity/event-seals/merkle.ts';

/** The test tree of the reference implementation of Certificate Transparency (RFC 6962). */
const texts = ['', '\x00', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

test('the roots of one to eight leaves equal those of the RFC 6962 reference implementation', () => {
  const leaves = texts.map(leafOf);
  expect(roots.map((_, n) => rootOf(leaves.slice(0, n + 1)).toString('hex'))).toEqual(roots);
  expect(rootOf([]).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('a path produces the root from its own leaf, but not from any other leaf', () => {
  const some = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 70 });
  fc.assert(
    fc.property(some, fc.nat(), fc.nat(), (given, one, other) => {
      const leaves = given.map(leafOf);
      const [at, elsewhere] = [one % leaves.length, other % leaves.length];
      const path = pathTo(at, leaves);
      const leaf = leaves[elsewhere] ?? Buffer.alloc(32);
      expect(rootFromPath(leaf, path).equals(rootOf(leaves))).toBe(at === elsewhere);
      expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(leaves.length)));
    }),
  );
});

test('the hash of an inner node differs from the hash of a leaf with the same bytes', () => {
  const [a, b] = [leafOf('a'), leafOf('b')];
  expect(rootOf([a, b])).not.toEqual(leafOf(Buffer.concat([a, b]).toString('latin1')));
});

test('the order of the leaves changes the root', () => {
  const [a, b] = [leafOf('a'), leafOf('b')];
  expect(rootOf([a, b])).not.toEqual(rootOf([b, a]));
});
