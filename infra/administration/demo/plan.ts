import type { Permission } from '../../../shared/resources/registry.ts';
import {
  applicationForm,
  type Company,
  emailOf,
  type Fictional,
  fictional,
  type Person,
} from '../fictional-data.ts';

/** The demo company. Records refer to other records by their index in the plan. */
export type DemoPlan = ReturnType<typeof demoPlan>;

export const applicationOutcomes = [
  'approved',
  'draft',
  'submitted',
  'rejected',
  'info_requested',
  'complete',
] as const;
type ApplicationOutcome = (typeof applicationOutcomes)[number];
export type LeadPlan = ReturnType<typeof leadPlan>;
export type ApplicationPlan = ReturnType<typeof applicationPlan>;
export type MerchantPlan = ReturnType<typeof merchantPlan>;
export type TicketPlan = ReturnType<typeof ticketPlan>;

/** The numbers of records of the full company. */
const full = { leads: 200, applications: 60, merchants: 40, tickets: 300, breachedTickets: 24 };

/**
 * The outcomes of the first 15 applications. Later applications repeat this list. It starts with the six possible
 * outcomes, so that a small company has each outcome.
 */
const outcomes: readonly ApplicationOutcome[] = [
  ...applicationOutcomes,
  'approved',
  'draft',
  'submitted',
  'approved',
  'draft',
  'submitted',
  'approved',
  'rejected',
  'complete',
];

/**
 * Returns the content of the demo company. The same seed and size always return the same content. `size` is 1 for the
 * full company; a smaller number gives fewer leads, applications, merchants and tickets.
 */
export function demoPlan(seed: number, size = 1) {
  const countOf = (number: number, least: number) => Math.max(least, Math.round(number * size));
  const applications = countOf(full.applications, applicationOutcomes.length);
  const leads = range(countOf(full.leads, applications + 5)).map((n) => leadPlan(seed, n, applications));
  const approved = leads.flatMap(({ outcome }, n) =>
    typeof outcome === 'object' && outcome.application.outcome === 'approved' ? [n] : [],
  );
  const merchants = range(countOf(full.merchants, approved.length + 1)).map((n) =>
    merchantPlan(seed, n, approved[n]),
  );
  const breached = countOf(full.breachedTickets, 1);
  const tickets = range(countOf(full.tickets, breached + 7)).map((n) =>
    ticketPlan(seed, n, { merchants: merchants.length, breached }),
  );
  return {
    seed,
    teams,
    roles,
    users: roleOfUser.map((_, n) => userPlan(seed, n)),
    leadSources,
    ticketTypes,
    leads,
    merchants,
    tickets,
    vendor: vendorPlan(seed),
    invoices: invoiceOutcomes.slice(0, merchants.length).map((_, n) => invoicePlan(seed, n)),
  };
}

const range = (length: number): number[] => Array.from({ length }, (_, n) => n);

const teams = [
  { name: 'West coast sales', description: 'Sales from Seattle to San Diego' },
  { name: 'East coast sales', description: 'Sales from Boston to Miami' },
  { name: 'Merchant support', description: 'Answers the merchants’ questions' },
];
const supportTeam = 2;

const roles: { name: string; flatPermissionsList: Permission[] }[] = [
  {
    name: 'Demo sales agent',
    flatPermissionsList: [
      'readOwnLeads',
      'writeOwnLeads',
      'readUnassignedLeads',
      'readOwnApplications',
      'writeOwnApplications',
      'readOwnMerchants',
      'readOwnResiduals',
      'readNotifications',
    ],
  },
  {
    name: 'Demo team lead',
    flatPermissionsList: [
      'readTeamLeads',
      'writeTeamLeads',
      'readUnassignedLeads',
      'writeUnassignedLeads',
      'readTeamApplications',
      'writeTeamApplications',
      'readTeamMerchants',
      'readOwnResiduals',
      'readNotifications',
    ],
  },
  {
    name: 'Demo underwriter',
    flatPermissionsList: ['readApplications', 'writeUnderwriting', 'readMerchants', 'readNotifications'],
  },
  {
    name: 'Demo support agent',
    flatPermissionsList: [
      'readTeamTickets',
      'writeTeamTickets',
      'readUnassignedTickets',
      'writeUnassignedTickets',
      'readMerchants',
      'readInternalComments',
      'readNotifications',
    ],
  },
  {
    name: 'Demo manager',
    flatPermissionsList: [
      'readLeads',
      'readApplications',
      'readMerchants',
      'readTickets',
      'bulkTickets',
      'readUsers',
      'readEvents',
      'readNotifications',
    ],
  },
];

const [agent, teamLead, underwriter, support, manager] = roles.map(({ name }) => name) as [
  string,
  string,
  string,
  string,
  string,
];
const roleOfUser = [
  agent,
  teamLead,
  agent,
  agent,
  agent,
  underwriter,
  underwriter,
  support,
  support,
  support,
  support,
  manager,
];
const usersWith = (role: string) =>
  roleOfUser.flatMap((one, n) => (one === role ? [n] : [])) as [number, ...number[]];
export const [agents, underwriters, supporters] = [
  usersWith(agent),
  usersWith(underwriter),
  usersWith(support),
];

const leadSources = ['Trade fair', 'Website form', 'Referral', 'Cold call', 'Partner bank'].map((name) => ({
  name,
}));

const ticketTypes = [
  { name: 'Terminal fault', description: 'A terminal that does not work', category: 'technical' },
  { name: 'Statement question', description: 'A question about a monthly statement', category: 'billing' },
  { name: 'Account change', description: 'A change of bank, owner or address', category: 'account' },
] as const;

function userPlan(seed: number, n: number) {
  const { firstName, lastName, phone } = fictional(`${seed}-user-${n}`).person();
  const role = roleOfUser[n] ?? manager;
  const isInSales = role === agent || role === teamLead;
  return {
    firstName,
    lastName,
    phone,
    role,
    team: isInSales ? n % 2 : supportTeam,
    notificationPreferences: [
      { event: isInSales ? 'lead_assigned' : 'ticket_assigned', deliveryPref: ['website', 'email'] },
      {
        event: 'application_submitted',
        deliveryPref: role === underwriter ? ['website'] : ['weekly_email_digest'],
      },
    ],
  };
}

/** The outcome of a converted lead is the plan of its application. The email identifies the lead. */
function leadPlan(seed: number, n: number, applications: number) {
  const of = fictional(`${seed}-lead-${n}`);
  const [person, company] = [of.person(), of.company()];
  const contact = { ...person, email: emailOf(person, `${seed}-${n}`) };
  const team = of.number(0, 1);
  return {
    fields: {
      ...contact,
      company: company.name,
      jobTitle: of.pick(['Owner', 'Manager', 'Bookkeeper']),
      location: `${company.city}, ${company.state}`,
      productsServicesSold: company.trade,
      currentPaymentProcessor: of.pick(['Northwind Payments', 'Abacus Cards', 'none']),
      numberOfEmployees: of.number(1, 60),
      monthlyTransactionVolume: of.number(5, 90) * 1000,
      interestedInSwitching: of.chance(0.6),
    },
    team,
    source: of.number(0, leadSources.length - 1),
    assignee: of.pick(agents),
    outcome:
      n < applications
        ? { application: applicationPlan(of, n, company, contact) }
        : of.pick(['open', 'open', 'open', 'qualified', 'qualified', 'disqualified', 'archived']),
  };
}

function applicationPlan(of: Fictional, n: number, company: Company, owner: Person) {
  const outcome = outcomes[n % outcomes.length] ?? 'draft';
  const { basics, businessDetails, businessHistory, ...rest } = applicationForm(of, company, owner);
  const draft = { basics: { dbaCity: basics.dbaCity, dbaState: basics.dbaState }, businessHistory };
  return {
    outcome,
    form: outcome === 'draft' ? draft : { basics, businessDetails, businessHistory, ...rest },
    documents: outcome === 'complete' || (outcome === 'approved' && n % 2 === 0),
    underwriter: of.pick(underwriters),
    priority: of.pick(['low', 'medium', 'medium', 'high', 'urgent']),
    note: of.pick([
      'Called the bank: the account is in good standing.',
      'The owner sent the statements of the last six months.',
      'The volume fits the business.',
    ]),
  };
}

/**
 * Returns the merchant of an approved application, by the index of its lead, or a merchant without a lead. `agentAccountId`
 * identifies the merchant.
 */
function merchantPlan(seed: number, n: number, lead: number | undefined) {
  const of = fictional(`${seed}-merchant-${n}`);
  const [owner, company] = [of.person(), of.company()];
  const status =
    n === 0 ? 'active' : of.pick(['active', 'active', 'active', 'pending', 'suspended', 'closed']);
  const volume = of.number(5, 60) * 1000;
  const created = {
    merchantName: company.name,
    dba: company.name,
    legalName: `${company.name} LLC`,
    mcc: String(company.mcc),
    mccDescription: company.trade,
    principals: [
      {
        type: 'FOUNDER',
        firstName: owner.firstName,
        lastName: owner.lastName,
        email: emailOf(owner, `${seed}-m${n}`),
        phone: owner.phone,
        equityOwnership: of.pick([51, 75, 100]),
      },
    ],
    addresses: [
      {
        type: 'business',
        street1: company.street,
        city: company.city,
        state: company.state,
        postalCode: company.zip,
      },
    ],
    banking: {
      bankName: 'Bank of Nowhere',
      routingNumber: '011000015',
      accountNumber: `0002${of.number(10_000_000, 99_999_999)}`,
    },
  };
  return {
    lead,
    fields: {
      ...(lead === undefined && created),
      agentAccountId: `demo-${seed}-${n}`,
      agentName: of.pick(['Lin Pretendsen', 'Sol Madeup']),
      status,
      processingStatus: status === 'active' ? 'enabled' : 'disabled',
      riskLevel: of.pick(['low', 'low', 'medium', 'high']),
      activatedDate: `2026-0${of.number(1, 9)}-${of.number(10, 28)}T09:00:00.000Z`,
      processing: {
        monthlyVolume: volume,
        averageTicket: of.number(8, 300),
        highTicket: of.number(400, 2400),
      },
      rates: {
        effectiveDate: '2026-01-01',
        discountRate: of.number(150, 320) / 100,
        transactionFee: 0.1,
        monthlyFee: 9.95,
      },
      compliance: { pciCompliant: of.chance(0.8), pciLevel: '4' },
      riskMetrics: { riskScore: of.number(5, 80), chargebackCount: of.number(0, 6) },
    },
    mids: range(of.number(1, 3)).map((k) => ({
      mid: `4445-${seed}-${n}-${k}`,
      status: status === 'suspended' ? 'suspended' : 'active',
    })),
    equipment: range(of.number(1, 2)).map((k) => ({
      type: of.pick(['terminal', 'terminal', 'receipt printer', 'cash drawer']),
      model: of.pick(['Northwind T2', 'Northwind T3', 'Abacus Mini']),
      serialNumber: `NW-${seed}-${n}-${k}`,
      deployedDate: `2026-0${of.number(1, 9)}-15`,
    })),
    notes: range(of.number(1, 2)).map(() => ({
      content: of.pick([
        'Asked for a second terminal.',
        'Opens a second shop next spring.',
        'Prefers calls in the morning.',
        'Disputed one chargeback and won.',
      ]),
      type: of.pick(['general', 'support', 'billing', 'risk']),
    })),
    documents: n % 2 === 0 ? 1 : 0,
  };
}

/** Returns the records that a lead vendor sends, under its own ids. */
function vendorPlan(seed: number) {
  const of = fictional(`${seed}-vendor`);
  const leads = range(8).map((n) => {
    const { firstName, lastName } = of.person();
    const email = emailOf({ firstName, lastName }, `${seed}-v${n}`);
    return { externalId: `L-${1001 + n}`, firstName, lastName, email, company: of.company().name };
  });
  const application = applicationForm(of, of.company(), of.person());
  return { leads, application: { externalId: 'A-2001', ...application } };
}

/** The outcomes of invoices, and the days until they are due. */
const invoiceOutcomes = [
  ['paid', -20],
  ['open', 14],
  ['partly', -45],
  ['failed', -5],
  ['draft', 30],
  ['void', 10],
  ['open', -100],
  ['paid', -70],
] as const;

/** Returns an invoice to a merchant, and what happened to it. */
function invoicePlan(seed: number, n: number) {
  const of = fictional(`${seed}-invoice-${n}`);
  const [outcome, dueInDays] = invoiceOutcomes[n] ?? invoiceOutcomes[0];
  const terminals = {
    description: 'Card terminal',
    quantity: of.pick([1, 2, 3]),
    unitAmount: 24_900,
    taxRate: 825,
  };
  const fee = { description: 'Monthly service fee', quantity: 1, unitAmount: of.pick([1_995, 2_995, 4_995]) };
  return { merchant: n, dueInDays, lines: [terminals, fee], outcome, reference: `demo-${seed}-${n}` };
}

const complaints = [
  ['The terminal prints nothing', 'Since this morning no receipt comes out.', 0],
  ['The terminal does not start', 'The screen stays dark after a power cut.', 0],
  ['Cards are refused', 'Every second card is refused, although customers have money.', 0],
  ['A fee that I do not know', 'The statement of last month has a fee of $12.50.', 1],
  ['The payout is late', 'The payout of Monday has not arrived.', 1],
  ['New bank account', 'We changed our bank. Please pay to the new account.', 2],
  ['New owner', 'My sister joins the company as an owner.', 2],
] as const;

const replies = [
  { body: 'Thank you for your message. Which lamp is on?', authorType: 'staff', visibility: 'public' },
  { body: 'The red one.', authorType: 'customer', visibility: 'public' },
  { body: 'Same fault as last week: the power supply is weak.', authorType: 'staff', visibility: 'internal' },
  { body: 'We are sending a replacement today.', authorType: 'staff', visibility: 'public' },
] as const;

interface TicketCounts {
  merchants: number;
  /** The number of tickets that miss their targets. These are the first tickets of the plan. */
  breached: number;
}

/**
 * Returns a ticket of a merchant, by its index, or of an external person. The first tag identifies the ticket. A breached
 * ticket has the shortest SLA targets and is never answered, so it misses its targets.
 */
function ticketPlan(seed: number, n: number, { merchants, breached: breachedTickets }: TicketCounts) {
  const of = fictional(`${seed}-ticket-${n}`);
  const [subject, description, type] = of.pick(complaints);
  const breached = n < breachedTickets;
  const person = of.person();
  const status = breached
    ? 'open'
    : of.pick([
        'open',
        'in_progress',
        'in_progress',
        'waiting_customer',
        'waiting_internal',
        'resolved',
        'resolved',
        'closed',
      ]);
  // The staff writes the last comment, because a customer's comment reopens a ticket.
  const comments = breached || status === 'open' ? [] : replies.slice(0, of.pick([1, 3, 4]));
  return {
    fields: {
      subject,
      description,
      category: ticketTypes[type].category,
      priority: breached ? 'urgent' : of.pick(['low', 'medium', 'medium', 'high']),
      source: of.pick(['email', 'phone', 'portal']),
      tags: [`demo-${seed}-${n}`, of.pick(['Hardware', 'Money', 'Onboarding'])] as const,
    },
    requester:
      !breached && of.chance(0.8)
        ? of.number(0, merchants - 1)
        : { ...person, email: emailOf(person, `${seed}-t${n}`) },
    type: of.chance(0.7) ? type : undefined,
    assignee: breached || of.chance(0.15) ? undefined : of.pick(supporters),
    comments,
    status,
    breached,
  };
}
