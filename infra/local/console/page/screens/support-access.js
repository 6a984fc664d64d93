import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { captureView } from '../capture-view.js';
import { changeableData } from '../changeable-data.js';
import { dataTable } from '../data-table.js';
import { optionalTime } from '../delivery-view.js';

/** The impersonations of users by administrators, and the captured bodies of requests and responses. */
export const supportAccess = {
  title: 'Support access',
  async open(_, update) {
    const { data, change, outcome } = await changeableData(() => call('GET', 'support-access'), update);
    const capture = captureView(data, update);
    return {
      view: () => html`<h1>Support access</h1>
        <section class="card"><h2>Impersonations</h2>
          ${permissionView(data.current, change)}
          ${outcome()}
          ${data.current.impersonations.length === 0 ? html`<p>Nobody has acted as another user. <code>POST /users/{email}/impersonation</code> begins an impersonation.</p>` : impersonationsView(data.current, change)}
        </section>
        ${capture()}`,
      close: data.close,
    };
  },
};

function permissionView({ impersonationForbidden: forbidden }, change) {
  const [next, done] = forbidden
    ? ['Allow impersonation', 'Administrators can act as users.']
    : ['Forbid impersonation', 'Impersonation is forbidden, and open impersonations have ended.'];
  return html`<p>${forbidden ? html`<span class="state-error">The account forbids impersonation.</span>` : 'Administrators of the account can act as users who are not administrators, for 30 minutes.'}
    <button type="button" class="small" @click=${() => change('PUT', 'support-access', { impersonationForbidden: !forbidden }, done)}>${next}</button></p>`;
}

const impersonationsView = ({ impersonations, impersonationForbidden }, change) =>
  dataTable(
    'Impersonations',
    ['Began', 'Administrator', 'User', 'Reason', 'Access', 'State', 'Action'],
    impersonations.map((one) => [
      optionalTime(one.createdAt),
      html`<code class="name">${one.createdBy}</code>`,
      one.email,
      one.reason,
      one.write ? html`<span class="state-warning">can change records</span>` : 'read-only',
      stateOf(one, impersonationForbidden),
      one.canEnd
        ? html`<button type="button" class="small" aria-label=${`End the impersonations of ${one.email}`} @click=${() => end(one, change)}>End</button>`
        : nothing,
    ]),
  );

function stateOf({ isOpen, canEnd, endedAt, expiresAt }, forbidden) {
  if (endedAt) return html`ended ${optionalTime(endedAt)}`;
  if (!isOpen) return html`expired ${optionalTime(expiresAt)}`;
  return forbidden || !canEnd
    ? html`<span class="state-error">has no access</span>`
    : html`<span class="state-warning">open</span> until ${optionalTime(expiresAt)}`;
}

const end = ({ email }, change) =>
  change(
    'DELETE',
    `support-access/${encodeURIComponent(email)}`,
    undefined,
    `The impersonations of ${email} have ended.`,
  );
