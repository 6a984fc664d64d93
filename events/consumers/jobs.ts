import { wokenBacklog } from '../backlog-work.ts';

/** Works an account's backlog of mail, text messages or jobs. */
export default wokenBacklog('jobs');
