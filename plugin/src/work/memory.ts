import { type Choices, DEFAULT_CHOICES, withoutFaces } from '../core/tools.ts';
import { readJson, writeJson } from '../host/store.ts';

const HISTORY_LENGTH = 50;
const DOCUMENTS_LENGTH = 100;

export interface Preset {
  readonly name: string;
  readonly choices: Choices;
}

export interface Entry {
  readonly taskId: string;
  readonly name: string;
  readonly title: string;
  /** ISO 8601. */
  readonly at: string;
  /** Where it was placed, in pixels of its document; absent for results that were made elsewhere. */
  readonly left?: number;
  readonly top?: number;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isChoices = (value: unknown): value is Choices =>
  isObject(value) && isObject(value.tools) && typeof value.upscale === 'number' && isObject(value.faces);

const isPreset = (value: unknown): value is Preset =>
  isObject(value) && typeof value.name === 'string' && isChoices(value.choices);

const isEntry = (value: unknown): value is Entry =>
  isObject(value) && ['taskId', 'name', 'title', 'at'].every((member) => typeof value[member] === 'string');

const listOf = <Member>(value: unknown, isMember: (member: unknown) => member is Member): Member[] =>
  Array.isArray(value) ? value.filter(isMember) : [];

let previous: Promise<unknown> = Promise.resolve();

/** Changes take turns: runs of a batch end at the same time. */
function update<Member>(
  name: string,
  isMember: (member: unknown) => member is Member,
  change: (stored: Member[]) => readonly Member[],
): Promise<void> {
  const turn = previous.then(async () => writeJson(name, change(listOf(await readJson(name), isMember))));
  previous = turn.catch(() => undefined);
  return turn;
}

/** The choices of the last run. */
export async function lastChoices(): Promise<Choices> {
  const stored = await readJson('last');
  return isChoices(stored) ? stored : DEFAULT_CHOICES;
}

interface OfDocument {
  readonly path: string;
  readonly choices: Choices;
}

const isOfDocument = (value: unknown): value is OfDocument =>
  isObject(value) && typeof value.path === 'string' && isChoices(value.choices);

/** The choices of the last run on a document; null without one. */
export const choicesOfDocument = async (path: string): Promise<Choices | null> =>
  listOf(await readJson('documents'), isOfDocument).find((one) => one.path === path)?.choices ?? null;

/** @param path of the document; null while it isn't saved */
export async function rememberChoices(chosen: Choices, path: string | null): Promise<void> {
  // Faces are those of one picture's newest result.
  const choices = withoutFaces(chosen);
  await writeJson('last', choices);
  if (path === null) return;
  await update('documents', isOfDocument, (stored) =>
    [{ path, choices }, ...stored.filter((one) => one.path !== path)].slice(0, DOCUMENTS_LENGTH),
  );
}

export const presets = async (): Promise<Preset[]> => listOf(await readJson('presets'), isPreset);
export const savePreset = (preset: Preset): Promise<void> =>
  update('presets', isPreset, (stored) => [...stored.filter(({ name }) => name !== preset.name), preset]);
export const deletePreset = (name: string): Promise<void> =>
  update('presets', isPreset, (stored) => stored.filter((preset) => preset.name !== name));

/** What was placed from here, newest first; the account's list has only file names. */
export const history = async (): Promise<Entry[]> => listOf(await readJson('history'), isEntry);
export const remember = (entry: Entry): Promise<void> =>
  update('history', isEntry, (stored) => [entry, ...stored].slice(0, HISTORY_LENGTH));
export const forget = (taskId: string): Promise<void> =>
  update('history', isEntry, (stored) => stored.filter((entry) => entry.taskId !== taskId));
