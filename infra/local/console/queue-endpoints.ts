import type { AddEndpoints } from './add-endpoints.ts';
import type { ServiceParts } from './service-state.ts';

interface Letter {
  Params: { source: string; id: string };
}

const noLetter = { message: 'This dead letter does not exist. It may have been redriven or deleted.' };

/** The endpoints of the screen Queues. They import their modules at the first request; see home.ts. */
export const queueEndpoints =
  ({
    queues,
    sqs,
    deadLetterFolder,
  }: Pick<ServiceParts, 'queues' | 'sqs' | 'deadLetterFolder'>): AddEndpoints =>
  (app) => {
    const deadLetters = () => import('./manage-dead-letters.ts');

    app.get('/queues', async () => {
      const { sqsQueues, workQueues } = await import('./queue-states.ts');
      const { listDeadLetters } = await deadLetters();
      return {
        queues: await sqsQueues(sqs, queues),
        workQueues: await workQueues(new Date()),
        deadLetters: listDeadLetters(deadLetterFolder),
      };
    });
    app.get<Letter>('/dead-letters/:source/:id', async ({ params: { source, id } }, reply) => {
      const { inspectDeadLetter } = await deadLetters();
      return (await inspectDeadLetter(deadLetterFolder, source, id)) ?? reply.code(404).send(noLetter);
    });
    app.post<Letter>('/dead-letters/:source/:id/redrive', async ({ params: { source, id } }, reply) => {
      const { redriveDeadLetter } = await deadLetters();
      const error = await redriveDeadLetter(deadLetterFolder, source, id).then(
        (found) => (found ? undefined : 404),
        (reason: Error) => reason,
      );
      if (error === undefined) return {};
      return error === 404
        ? reply.code(404).send(noLetter)
        : reply.code(409).send({ message: error.message });
    });
    app.delete<Letter>('/dead-letters/:source/:id', async ({ params: { source, id } }, reply) => {
      const { deleteDeadLetter } = await deadLetters();
      return deleteDeadLetter(deadLetterFolder, source, id) ? {} : reply.code(404).send(noLetter);
    });
  };
