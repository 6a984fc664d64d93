import { putParticipants } from '../../shared/people/ownership/put-participants.ts';
import { ownedApplications } from '../../shared/sales/applications/owned-applications.ts';

export default putParticipants(ownedApplications, { summary: 'Set the participants of an application' });
