import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AiPipeline } from '../pipeline/tools.js';
import { fromWire, snakeCase, toWire, wirePath } from './case.js';

const Member = z.object({ faceBox: z.object({ maxSide: z.number() }) });
const Everything = z.object({
  taskId: z.string(),
  sha256: z.string().optional(),
  memberList: z.array(Member),
  uploadHeaders: z.record(z.string(), z.string()),
  byName: z.record(z.string(), Member),
  maybeNested: Member.nullable().optional(),
  eventData: z.record(z.string(), z.unknown()),
  withDefault: z.object({ innerName: z.string() }).prefault({ innerName: 'x' }),
});
const value = {
  taskId: 'camelCase_and_snake',
  sha256: 'abc',
  memberList: [{ faceBox: { maxSide: 1 } }, { faceBox: { maxSide: 2 } }],
  uploadHeaders: { 'Content-Type': 'image/jpeg', someHeader: 'x' },
  byName: { someKey: { faceBox: { maxSide: 3 } } },
  maybeNested: null,
  eventData: { innerKey: { deepKey: [{ veryDeep: 1 }] } },
  withDefault: { innerName: 'y' },
};

describe('names', () => {
  it.each([
    ['taskId', 'task_id'],
    ['sha256', 'sha256'],
    ['inputTaskList', 'input_task_list'],
    ['plain', 'plain'],
  ])('%s is %s on the wire', (name, wire) => expect(snakeCase(name)).toBe(wire));

  it('in a path of a validation issue are snake_case', () => {
    expect(wirePath(['inputTaskList', 0, 'imageContentType'])).toBe('input_task_list.0.image_content_type');
    expect(wirePath([])).toBe('');
  });
});

describe('changing case', () => {
  it('follows the schema through lists, records and optional values', () => {
    expect(toWire(Everything, value)).toEqual({
      task_id: 'camelCase_and_snake',
      sha256: 'abc',
      member_list: [{ face_box: { max_side: 1 } }, { face_box: { max_side: 2 } }],
      upload_headers: { 'Content-Type': 'image/jpeg', someHeader: 'x' },
      by_name: { someKey: { face_box: { max_side: 3 } } },
      maybe_nested: null,
      event_data: { innerKey: { deepKey: [{ veryDeep: 1 }] } },
      with_default: { inner_name: 'y' },
    });
  });

  it('round-trips', () => {
    expect(fromWire(Everything, JSON.parse(JSON.stringify(toWire(Everything, value))))).toEqual(value);
  });

  it('drops names that the schema lacks', () => {
    expect(toWire(Member, { faceBox: { maxSide: 1, secret: 2 }, passwordHash: 'x' })).toEqual({
      face_box: { max_side: 1 },
    });
    expect(fromWire(Member, { face_box: { max_side: 1 }, is_admin: true })).toEqual({ faceBox: { maxSide: 1 } });
  });

  it('ignores camelCase names in wire JSON', () => {
    expect(fromWire(Member, { faceBox: { maxSide: 1 } })).toEqual({});
  });

  it('passes unknown names to strict objects, which reject them', () => {
    const issueOf = (json: unknown) => AiPipeline.safeParse(fromWire(AiPipeline, json)).error?.issues[0];
    expect(issueOf({ bogus: {} })).toMatchObject({ code: 'unrecognized_keys', keys: ['bogus'] });
    expect(issueOf({ faceEnhance: { model: 'base' } })).toMatchObject({ code: 'unrecognized_keys' });
    expect(issueOf({ face_enhance: { model: 'base' }, faceEnhance: { model: 'v2' } })).toMatchObject({
      code: 'unrecognized_keys',
    });
    expect(issueOf({ face_enhance: { model: 'base', extra: 1 } })).toMatchObject({ keys: ['extra'] });
  });

  it('selects the member of a union by its names', () => {
    const Choice = z.union([
      z.object({ kind: z.literal('byName'), fullName: z.string() }),
      z.object({ kind: z.literal('byPlace'), postalCode: z.string(), fullName: z.string().optional() }),
    ]);
    expect(fromWire(Choice, { kind: 'byPlace', postal_code: '1', full_name: 'x' })).toEqual({
      kind: 'byPlace',
      postalCode: '1',
      fullName: 'x',
    });
    expect(toWire(Choice, { kind: 'byName', fullName: 'x' })).toEqual({ kind: 'byName', full_name: 'x' });
  });

  it('reads null as absent where the schema takes only absence', () => {
    const Optional = z.object({
      name: z.string().optional(),
      count: z.int().default(3),
      limits: z.object({ max: z.number().optional() }).default({}),
      shown: z.string().nullish(),
      chosen: z.string().nullable(),
      opaque: z.json().optional(),
      parts: z.record(z.string(), z.json()),
      needed: z.string(),
    });
    const json = { name: null, count: null, limits: null, shown: null, chosen: null, opaque: null, needed: null };
    const rest = { shown: null, chosen: null, opaque: null, parts: { any: null }, needed: null };
    expect(fromWire(Optional, { ...json, parts: { any: null } })).toEqual(rest);
    expect(fromWire(Optional, { limits: { max: null } })).toEqual({ limits: {} });
    expect(fromWire(z.object({ list: z.array(Optional) }), { list: [{ name: null }] })).toEqual({ list: [{}] });
  });

  it.each([
    [{ face_enhance: null, color_enhance: null }, {}],
    [{ face_enhance: { model: 'v1', strength: null } }, { faceEnhance: { model: 'v1' } }],
    [{ bokeh: { model: 'low', aperture: null, highlights: null, vivid: null } }, { bokeh: { model: 'low' } }],
    [
      { bokeh: { model: null, aperture: 1, highlights: 0, vivid: 0.5, strength: null } },
      { bokeh: { aperture: 1, highlights: 0, vivid: 0.5 } },
    ],
  ])('reads null members of a pipeline as absent: %j', (json, pipeline) => {
    expect(AiPipeline.parse(fromWire(AiPipeline, json))).toEqual(pipeline);
  });

  it('keeps a null of a chosen option', () => {
    const Choice = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('byName'), fullName: z.string() }),
      z.object({ kind: z.literal('byPlace'), postalCode: z.string().nullable() }),
    ]);
    expect(fromWire(Choice, { kind: 'byPlace', postal_code: null, full_name: null })).toEqual({
      kind: 'byPlace',
      postalCode: null,
    });
  });

  it.each([null, undefined, 'text', 7, true, ['a'], { task_id: 1 }])('leaves validation to the schema: %j', (json) => {
    expect(() => fromWire(Everything, json)).not.toThrow();
    expect(Everything.safeParse(fromWire(Everything, json)).success).toBe(false);
  });

  it('reads queries, which have no prototype', () => {
    const query: unknown = Object.assign(Object.create(null), { starting_after: 'x' });
    expect(fromWire(z.object({ startingAfter: z.string() }), query)).toEqual({ startingAfter: 'x' });
  });
});
