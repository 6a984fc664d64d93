import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summaryOf } from '../../shared/sales/applications/summarize-application.ts';
import { application } from './decided-application.ts';

test('a summary always has at most 2 KB, is flat and contains no sensitive value', () => {
  const textOf = (length: number) =>
    fc.constantFrom('a', '€', '🏦', '"', '\u0001').map((character) => character.repeat(length));
  fc.assert(
    fc.property(textOf(254), textOf(200), (long, name) => {
      const summary = summaryOf({
        ...application,
        id: 'x'.repeat(64),
        repcode: name,
        createdBy: long,
        basics: {
          ...application.basics,
          dbaName: name,
          dbaContact: name,
          dbaEmail: long,
          dbaPhone: long,
          dbaCity: name,
          dbaState: name,
        },
        businessDetails: { mccNumber: Number.MAX_SAFE_INTEGER },
        scheduleABasics: { highMonthlyVolume: Number.MAX_SAFE_INTEGER },
        businessOwners: Array.from({ length: 25 }, (_, id) => ({ id, uniqueId: `o${id}`, name })),
        admin: {
          leadId: Number.MAX_SAFE_INTEGER,
          merchantId: Number.MAX_SAFE_INTEGER,
          assignedTo: String(Number.MAX_SAFE_INTEGER),
          priority: 'urgent',
        },
      });
      const json = JSON.stringify(summary);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(2048);
      expect(json).not.toMatch(/sealed|blind/);
      expect(json).not.toMatch(/\p{Surrogate}/u);
      for (const value of Object.values(summary)) expect(typeof value).not.toBe('object');
    }),
  );
  expect(summaryOf(application)).toMatchObject({ dbaName: 'Harbor', ownerNames: 'Ada', status: 'approved' });
});
