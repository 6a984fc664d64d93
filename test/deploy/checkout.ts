import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';
import { accountId, region } from './emulator.ts';

/** Overrides the user's git configuration, and disables signatures and hooks. */
const gitConfig = {
  'user.name': 'Operator',
  'user.email': 'operator@example.com',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'core.hooksPath': '/dev/null',
};

function git(folder: string, ...args: string[]): string {
  const options = Object.entries(gitConfig).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return execFileSync('git', [...options, ...args], { cwd: folder, encoding: 'utf8' });
}

/** Copies the working tree to a new repository and links the installed packages. */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  const listed = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  const files = listed.filter((file) => file !== '' && existsSync(join(root, file)));
  for (const file of files) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  git(folder, 'init', '--quiet');
  return folder;
}

/** Commits all changes of a checkout. */
export function commitAll(folder: string, message: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
}

/** Adds settings to the stage `prod` in the `stages.local.json` of a checkout. */
export function addSettings(folder: string, added: object): void {
  const file = join(folder, 'stages.local.json');
  const { prod = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  writeFileSync(file, JSON.stringify({ prod: { ...prod, ...added } }));
}

/** Replaces a text that `infra/stages.ts` contains once. */
export function editStages(folder: string, before: string, after: string): void {
  const file = join(folder, 'infra', 'stages.ts');
  const parts = readFileSync(file, 'utf8').split(before);
  if (parts.length !== 2) throw new Error(`infra/stages.ts must contain "${before.trim()}" once.`);
  writeFileSync(file, parts.join(after));
}

/**
 * The settings that the handbook requires before the first deployment, except the budget. MiniStack 1.5.33 supports
 * neither budgets nor the alarm on metric math that `errorPercent` creates.
 */
export const settings = {
  alarmEmails: ['ops@example.com'],
  mailFrom: 'Acme <notifications@example.com>',
  mailDomain: 'mail.example.com',
  awsAccount: accountId,
  region,
  errorPercent: null,
  // MiniStack's CloudFront cannot forward requests to an API.
  edge: null,
  emulator: true,
};

/** Makes the budget optional, because MiniStack does not support budgets. */
export const leaveOutBudget = (folder: string): void => editStages(folder, "  'monthlyBudget',\n", '');
