import { optionalOption, stage } from '../options.ts';

export const serviceOption = {
  stage: optionalOption(stage, 'stage of the service; default: the local service'),
};

export const serviceNote = `With --stage, the command works on that stage, with the region and credentials from the AWS
environment. TABLE_NAME selects another table, such as a restored table. Without --stage, the command works on the
service that runs on this machine with the same DATA_DIR (default .local).`;

export const signInNote = `For another service, the command signs in with API_KEY and API_SECRET from the environment, or as a user with
API_EMAIL, API_PASSWORD and API_ACCOUNT. On the local service, it signs in as the administrator.`;
