import { putOwner } from '../../shared/people/ownership/put-owner.ts';
import { ownedApplications } from '../../shared/sales/applications/owned-applications.ts';

export default putOwner(ownedApplications, { summary: 'Set the owner and the team of an application' });
