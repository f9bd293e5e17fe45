import { execFile } from 'node:child_process';
import { readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const lockFile = 'package-lock.json';

/** Names both commits, or says in a sentence why they cannot be measured. */
export async function findTwoCommits(root: string, ref: string) {
  const [present, other] = [await findCommit(root, 'HEAD'), await findCommit(root, ref)];
  if (!present || !other) return { refusal: `There is no commit ${ref}.` };
  const changed = await git(root, 'status', '--porcelain');
  if (changed) return { refusal: 'Two commits are measured. Commit your changes first, or set them aside.' };
  return { refusal: null, present, other };
}

/** Checks a commit out into a folder that does not exist yet, with the packages that it names. */
export async function addCheckout(root: string, commit: string, folder: string, signal: AbortSignal): Promise<void> {
  await git(root, 'worktree', 'add', '--detach', folder, commit);
  const [ours, theirs] = await Promise.all([root, folder].map((one) => readFile(path.join(one, lockFile), 'utf8')));
  if (ours === theirs) await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  else
    await runFile('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      signal,
    });
}

export async function removeCheckout(root: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await git(root, 'worktree', 'prune');
}

async function findCommit(root: string, ref: string): Promise<string | null> {
  try {
    return await git(root, 'rev-parse', '--verify', '--quiet', '--short', '--end-of-options', `${ref}^{commit}`);
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  }
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await runFile('git', args, { cwd: root });
  return stdout.trim();
}
