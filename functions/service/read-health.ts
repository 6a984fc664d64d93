import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { object, unsafe } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  response: object({ status: unsafe<'ok'>({ type: 'string', const: 'ok' }) }),
  summary: 'Check that the service responds',
  description: 'Returns 200 if requests reach the service. Does not check the database or the queues.',
  decide: () => ({ response: { status: 'ok' as const } }),
});
