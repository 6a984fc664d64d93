import type { ScheduleClock } from '../schedule-clock.ts';
import type { AddEndpoints } from './add-endpoints.ts';

/** The endpoints of the screen Schedules. `clock` is a function, because the clock starts after the console. */
export const scheduleEndpoints =
  (clock: () => ScheduleClock): AddEndpoints =>
  (app) => {
    app.get('/schedules', () => clock().states());
    app.post<{ Params: { name: string } }>(
      '/schedules/:name/run',
      async ({ params }, reply) =>
        (await clock().runNow(params.name)) ??
        reply.code(404).send({ message: 'This schedule does not exist.' }),
    );
  };
