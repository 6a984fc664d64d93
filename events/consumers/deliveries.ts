import { deliveries } from '../../shared/messaging/webhooks/deliver.ts';
import { webhookOf } from '../../shared/work-queue/backlog.ts';
import { wokenBacklog } from '../woken-backlog.ts';

const work = deliveries();

/** Works the backlog of a webhook: alone in its bundle, since what opens a webhook's secrets is large. */
export default wokenBacklog('deliveries', (backlog) => (webhookOf(backlog) === undefined ? undefined : work));
