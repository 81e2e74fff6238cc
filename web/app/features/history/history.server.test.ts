import { fromWire, type Role, Task } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { task } from '../../../test/wire';
import { downloadKindOf } from './history.server';

const output = (changes: object) => ({
  id: '6f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326',
  url: 'http://clearframe.test/media/results/1?signature=a',
  content_type: 'image/jpeg',
  width: 10,
  height: 10,
  full_size: { width: 10, height: 10, size_bytes: 100 },
  display: null,
  number: 1,
  is_preview: false,
  is_untouched: false,
  keep_location: false,
  has_watermark: false,
  is_encoding: false,
  ai_pipeline: {},
  converted_images: [],
  changes: null,
  faces: [],
  recipe: { version: 1, ai_pipeline: {}, models: [] },
  ...changes,
});

const kindOf = (role: Role, status: string, outputs: object[]) =>
  downloadKindOf(Task.parse(fromWire(Task, task({ status, result: { outputs } }))), role);

test('says what of a photo can be downloaded', () => {
  expect(kindOf('guest', 'completed', [output({ has_watermark: true })])).toBe('watermarked');
  expect(kindOf('guest', 'exported', [output({})])).toBe('full');
  expect(kindOf('personal', 'completed', [output({})])).toBe('small');
  expect(kindOf('personal', 'exported', [output({})])).toBe('full');
  expect(kindOf('business', 'completed', [output({})])).toBe('full');
});

test('leaves out previews and photos without a result', () => {
  const preview = output({ is_preview: true, has_watermark: true });
  expect(kindOf('guest', 'completed', [preview])).toBeNull();
  expect(kindOf('business', 'completed', [preview, output({})])).toBe('full');
  // Earlier results stay.
  expect(kindOf('business', 'reprocessing', [output({})])).toBe('full');
  expect(kindOf('business', 'failed', [])).toBeNull();
});
