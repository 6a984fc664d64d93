import { memberEndpoint } from '../../shared/people/users/member-endpoint.ts';

export default memberEndpoint({
  method: 'GET',
  path: '/users/{email}',
  permission: 'readUsers',
  summary: 'Read a user',
});
