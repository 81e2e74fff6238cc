import {
  type AiPipeline,
  DEFAULT_PREFERENCES,
  fromWire,
  RECIPE_VERSION,
  ROLES,
  type Role,
  Settings,
  Task,
  toWire,
  type User,
} from '@clearframe/contract';
import { expect, it } from 'vitest';
import { sendJson, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { SETTINGS } from '../../../test/settings';
import { ADA } from '../../../test/users';
import { task } from '../../../test/wire';
import { toolsViewOf } from './tools-view.server';

const BASE: AiPipeline = { faceEnhance: { model: 'base' } };
const RUNS = ['0c9a35ad-61b4-4c1a-9ae1-6a4d8f0d2f51', '0c9a35ad-61b4-4c1a-9ae1-6a4d8f0d2f52'] as const;

const output = (
  id: string,
  changes: { version?: number; isPreview?: boolean; number?: number; recipe?: object; tools?: object } = {},
) => ({
  id,
  number: changes.number ?? 1,
  url: 'http://clearframe.test/media/1.jpg',
  content_type: 'image/jpeg',
  width: 1024,
  height: 512,
  full_size: { width: 10, height: 10, size_bytes: 100 },
  display: null,
  is_preview: changes.isPreview ?? false,
  is_untouched: false,
  keep_location: false,
  has_watermark: false,
  is_encoding: false,
  ai_pipeline: changes.tools ?? { face_enhance: { model: 'base' } },
  converted_images: [],
  faces: [{ restored: true }, { restored: false }, { restored: true, held_back: true }].map((face) => ({
    box: { x: 1, y: 2, width: 30, height: 40 },
    confidence: 1,
    identity_similarity: null,
    ...face,
  })),
  recipe: {
    version: changes.version ?? RECIPE_VERSION,
    ai_pipeline: { face_enhance: { model: 'base' } },
    models: [{ id: 'net', version: '2', sha256: 'x' }],
    ...changes.recipe,
  },
  changes: null,
});

async function viewFor(user: User | null, outputs: ReturnType<typeof output>[] = [output(RUNS[0])], query = '') {
  const backend = await startBackend((_request, response) => sendJson(response, 200, toWire(Settings, SETTINGS)));
  const finished = Task.parse(fromWire(Task, task({ status: 'completed', result: { outputs } })));
  const [shown] = finished.result.outputs;
  if (!shown || shown.url === null) throw new Error('no result');
  const request = new Request(`http://clearframe.test/result${query}`);
  return toolsViewOf(finished, { ...shown, url: shown.url }, user, request, contextFor(backend.url));
}
const userWith = (role: Role, defaultAiPipeline: AiPipeline | null = null): User => ({
  ...ADA,
  role,
  preferences: { ...DEFAULT_PREFERENCES, defaultAiPipeline },
});

it.each(ROLES)('shows a %s every model that has a form, with the plan that includes it', async (role) => {
  const locked = { guest: 0, base: 0, credits: 0, personal: 1, business: 2 }[role];
  const { sections } = await viewFor(userWith(role));
  expect(sections).toEqual([
    {
      section: 'face',
      tools: [
        {
          tool: 'faceEnhance',
          control: 'switch',
          models: [
            { model: 'base', requiredPlan: null },
            { model: 'v2', requiredPlan: locked < 1 ? 'personal' : null },
          ],
        },
      ],
    },
    {
      section: 'color',
      tools: [
        {
          tool: 'colorEnhance',
          control: 'filters',
          models: [{ model: 'golden', requiredPlan: locked < 2 ? 'business' : null }],
        },
      ],
    },
  ]);
});

it('says what was done to each face, and which networks ran', async () => {
  const { faces, details } = await viewFor(null);
  expect(faces.map(({ outcome }) => outcome)).toEqual(['restored', 'leftAlone', 'heldBack']);
  expect(details).toMatchObject({ resultSize: { width: 1024, height: 512 }, networks: ['net 2'] });
});

it('offers the saved tools, or newer models, for the first result only', async () => {
  const other: AiPipeline = { faceEnhance: { model: 'v2' } };
  expect((await viewFor(userWith('personal', other))).offer).toMatchObject({
    kind: 'saved',
    choices: { tools: { faceEnhance: { model: 'v2' } } },
  });
  expect((await viewFor(userWith('base', other))).offer).toBeNull();
  expect((await viewFor(userWith('personal', BASE))).offer).toBeNull();
  const old = output(RUNS[0], { version: RECIPE_VERSION - 1 });
  expect((await viewFor(userWith('base'), [old])).offer).toMatchObject({ kind: 'newer' });
  expect((await viewFor(userWith('personal', other), [output(RUNS[0]), output(RUNS[1])])).offer).toBeNull();
});

it('offers to restore a faded print, whose tools don’t, and knows sepia', async () => {
  const recipe = { is_faded: true, is_sepia: true };
  const print = output(RUNS[0], { recipe });
  expect(await viewFor(userWith('guest'), [print])).toMatchObject({
    isSepia: true,
    offer: { kind: 'faded', choices: { tools: { faceEnhance: { model: 'base' }, fade: { model: 'base' } } } },
  });
  const restored = output(RUNS[0], { recipe, tools: { fade: { model: 'base' } } });
  expect(await viewFor(userWith('guest'), [restored])).toMatchObject({ isSepia: true, offer: null });
});

it('shows the numbers of results, and compares with the address’s', async () => {
  const outputs = [output(RUNS[0], { isPreview: true, number: 14 }), output(RUNS[1], { number: 2 })];
  const view = await viewFor(null, outputs, `?compareId=${RUNS[1]}`);
  expect(view.results.map(({ number, isPreview }) => [number, isPreview])).toEqual([
    [14, true],
    [2, false],
  ]);
  expect(view).toMatchObject({ shownId: RUNS[0], ownId: RUNS[1], comparedId: RUNS[1] });
});
