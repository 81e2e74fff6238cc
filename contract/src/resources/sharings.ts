import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { MEDIA_TYPES } from '../media/types.js';

/** 128 random bits in base64url. */
const SharingId = z.string().regex(/^[\w-]{22}$/);

/** A public link to a picture before and after. */
export const TaskSharing = z
  .object({
    sharingId: z
      .string()
      .describe('Id of the link: 22 characters.')
      .meta({ examples: ['Qm9rZWggaXMgbmljZSE9PT'] }),
    url: z.url().describe('Address of the page that shows the picture or video.'),
    expiresAt: z.iso.datetime().describe('When the link ends, 14 days after its creation.'),
  })
  .meta({ id: 'TaskSharing' });
export type TaskSharing = z.infer<typeof TaskSharing>;

/** The sides of a shared picture or video, the first frame of a video, and the picture for link previews. */
const SHARED_FILES = ['input', 'output', 'poster', 'preview'] as const;
export type SharedFile = (typeof SHARED_FILES)[number];

/**
 * A shared picture: its newest result that is no preview, as the owner's current plan allows. The files are display
 * files (see `DisplayImage`); their URLs are valid as long as the link. Those of a video are MP4 without metadata.
 */
export const Sharing = z
  .object({
    sharingId: z.string().describe('Id of the link: 22 characters.'),
    mediaType: z.enum(MEDIA_TYPES).describe('Whether a picture or a video is shared.'),
    inputUrl: z.url().describe('The original for display; valid as long as the link.'),
    outputUrl: z.url().describe('The result for display; valid as long as the link.'),
    posterUrl: z.url().nullable().describe('JPEG of the first frame of a video’s result; null for a picture.'),
    previewUrl: z
      .url()
      .nullable()
      .describe('JPEG of 1200 × 630 pixels with both sides, for link previews; null until it exists.'),
    frameRate: z.number().nullable().describe('Frames per second of a video; null for a picture.'),
    hasWatermark: z.boolean().describe('Whether the result has a watermark.'),
    width: z.int().describe('Width in pixels of the file at `output_url`.'),
    height: z.int().describe('Height in pixels of the file at `output_url`.'),
    expiresAt: z.iso.datetime().describe('When the link ends.'),
  })
  .meta({ id: 'Sharing' });
export type Sharing = z.infer<typeof Sharing>;

const sharingParams = z.object({ sharingId: SharingId.describe('Id of the link.') });

/** Public links to before and after. */
export const sharingRoutes = {
  shareTask: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/share',
    tag: 'sharings',
    summary: 'Share a task',
    description:
      'Creates a public link to a finished picture or video, valid for 14 days: 201, or 200 with the link that exists.',
    allow: { sessionOrKey: 'media:write' },
    params: z.object({ taskId: z.uuid().describe('Id of the task.') }),
    responses: { 201: TaskSharing, 200: TaskSharing },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
    idempotent: true,
  }),
  getSharing: defineRoute({
    method: 'GET',
    path: '/sharings/:sharingId',
    tag: 'sharings',
    summary: 'Get a shared picture or video',
    description: 'Returns what a public link shows, as the owner’s plan allows now.',
    allow: 'public',
    params: sharingParams,
    responses: { 200: Sharing },
    errors: ['sharings.not_found', 'sharings.expired'],
    limit: 'reads',
  }),
  deleteSharing: defineRoute({
    method: 'DELETE',
    path: '/sharings/:sharingId',
    tag: 'sharings',
    summary: 'Revoke a link',
    description: 'Ends a link and the addresses of its files at once.',
    allow: { sessionOrKey: 'media:write' },
    params: sharingParams,
    responses: { 204: null },
    errors: ['sharings.not_found'],
    limit: 'writes',
  }),
  getSharedFile: defineRoute({
    method: 'GET',
    base: '/media',
    path: '/shares/:sharingId/:file',
    tag: 'sharings',
    summary: 'Get a shared file',
    description:
      'Returns a file of a shared picture or video, or a range of it; never cached, so that a revoked link ends at once.',
    allow: 'public',
    params: sharingParams.extend({ file: z.enum(SHARED_FILES).describe('Which file of the link.') }),
    query: z.object({
      download: z.string().max(10).optional().describe('`1` answers with the file as an attachment.'),
    }),
    responses: { 200: null, 206: null },
    file: ['image/jpeg', 'image/webp', 'video/mp4'],
    errors: ['sharings.not_found', 'sharings.expired', 'media.range_invalid'],
    limit: 'reads',
  }),
} as const;
