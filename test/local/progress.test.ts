import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressFrom } from '../../infra/local/progress.ts';

test('the position is the start until a record was read', () => {
  expect(progressFrom(undefined).safe()).toBeUndefined();
  expect(progressFrom('7').safe()).toBe('7');
});

test('the position never passes an unfinished record, and reaches the end when all tasks are done', () => {
  const tasks = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(tasks, fc.infiniteStream(fc.nat()), (counts, picks) => {
      const progress = progressFrom('0');
      const open = counts.flatMap((count, record) =>
        Array.from({ length: count }, (_, task) => ({ record, name: `${record}/${task}` })),
      );
      counts.forEach((count, record) => {
        progress.read(
          String(record + 1),
          Array.from({ length: count }, (_, task) => `${record}/${task}`),
        );
      });
      for (const pick of picks) {
        const firstUnfinished =
          open.length > 0 ? Math.min(...open.map(({ record }) => record)) : counts.length;
        expect(progress.safe()).toBe(String(firstUnfinished));
        const [task] = open.splice(pick % Math.max(1, open.length), 1);
        if (!task) break;
        progress.done(task.name);
        progress.done(task.name);
      }
      expect(progress.idle()).toBe(true);
    }),
  );
});
