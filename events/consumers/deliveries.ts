import { wokenBacklog } from '../backlog-work.ts';

/** Works the backlog of a webhook. */
export default wokenBacklog('deliveries');
