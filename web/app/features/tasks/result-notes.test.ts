import { type FaceReport, RECIPE_VERSION, type Recipe } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { notesOf, untouchedReasonOf } from './result-notes';

const face = (identitySimilarity: number | null, restored = identitySimilarity !== null): FaceReport => ({
  box: { x: 0, y: 0, width: 10, height: 10 },
  confidence: 0.9,
  restored,
  identitySimilarity,
});
const recipe = (aiPipeline: Recipe['aiPipeline'], leftAlone?: Recipe['leftAlone']): Recipe => ({
  version: RECIPE_VERSION,
  aiPipeline,
  models: [],
  leftAlone,
});
const FACES = { faceEnhance: { model: 'base' } } as const;
const BOTH = { ...FACES, backgroundEnhance: { model: 'base' } } as const;

test('counts the faces that were restored', () => {
  expect(notesOf(recipe(BOTH), [face(0.9), face(null)])).toEqual([{ kind: 'restored', faces: 1 }]);
  expect(notesOf(recipe(FACES), [face(null, true), face(null)])).toEqual([{ kind: 'restored', faces: 1 }]);
});

test('does not say that a face was restored whose change is invisible', () => {
  expect(notesOf(recipe(FACES), [face(0.95, false)])).toEqual([{ kind: 'facesLeft' }]);
});

test.each([
  [BOTH, 'sharp'],
  [{ colorEnhance: { model: 'teal', strength: 0.01 } }, 'other'],
  [{ upscale: { factor: 1 } }, 'none'],
] as const)('says why a picture was left as it is: %j', (aiPipeline, reason) => {
  expect(untouchedReasonOf(recipe(aiPipeline))).toBe(reason);
});

test('notes tools that were requested but not applied', () => {
  expect(notesOf(recipe(BOTH, ['face_enhance']), [])).toEqual([{ kind: 'cleaned' }]);
  expect(notesOf(recipe(FACES, ['face_enhance']), [])).toEqual([{ kind: 'noFace' }]);
  expect(notesOf(recipe(BOTH, ['face_enhance', 'background_enhance']), [])).toEqual([{ kind: 'noFace' }]);
  expect(notesOf(recipe(BOTH, ['face_enhance']), [face(null)])).toEqual([{ kind: 'facesLeft' }]);
  expect(
    notesOf(recipe({ faceLifting: { model: 'glam' }, bokeh: { model: 'low' } }, ['face_lifting', 'bokeh']), []),
  ).toEqual([{ kind: 'liftingLeft' }, { kind: 'bokehLeft' }]);
});

test('says that restoration was held back where it would have changed a face', () => {
  const held: FaceReport = { ...face(null), heldBack: true };
  expect(notesOf(recipe(FACES), [face(0.9), held])).toEqual([
    { kind: 'restored', faces: 1 },
    { kind: 'facesHeldBack' },
  ]);
  expect(notesOf(recipe(FACES, ['face_enhance']), [held])).toEqual([{ kind: 'facesHeldBack' }]);
});

test('has no note about faces when face enhancement was not requested', () => {
  expect(notesOf(recipe({}), [])).toEqual([]);
  expect(notesOf(recipe({ colorEnhance: { model: 'teal' } }), [])).toEqual([]);
});
