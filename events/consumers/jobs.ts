import { workOf } from '../backlog-work.ts';
import { wokenBacklog } from '../woken-backlog.ts';

/** Works an account's backlog of mail, text messages or jobs. */
export default wokenBacklog('jobs', workOf);
