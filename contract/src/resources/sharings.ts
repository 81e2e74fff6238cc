import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { MEDIA_TYPES } from '../media/types.js';

/** 128 random bits in base64url. */
const SharingId = z.string().regex(/^[\w-]{22}$/);

/** A public link to a picture before and after. */
export const TaskSharing = z
  .object({
    sharingId: z.string(),
    /** Address of the shared page. */
    url: z.url(),
    expiresAt: z.iso.datetime(),
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
    sharingId: z.string(),
    mediaType: z.enum(MEDIA_TYPES),
    inputUrl: z.url(),
    outputUrl: z.url(),
    /** JPEG of the first frame of a video's result; null for a picture. */
    posterUrl: z.url().nullable(),
    /** JPEG of {@link SHARE_PREVIEW_SIZE} with both sides, for link previews; null until it exists. */
    previewUrl: z.url().nullable(),
    /** Frames a second of a video; null for a picture. */
    frameRate: z.number().nullable(),
    hasWatermark: z.boolean(),
    /** Pixels of the file at `outputUrl`. */
    width: z.int(),
    height: z.int(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Sharing' });
export type Sharing = z.infer<typeof Sharing>;

const sharingParams = z.object({ sharingId: SharingId });

/** Public links to before and after. */
export const sharingRoutes = {
  shareTask: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/share',
    tag: 'sharings',
    summary:
      'Create a public link to a finished picture, valid for 14 days; 200 with the existing link if there is one',
    allow: { sessionOrKey: 'media' },
    params: z.object({ taskId: z.uuid() }),
    responses: { 201: TaskSharing, 200: TaskSharing },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
    idempotent: true,
  }),
  getSharing: defineRoute({
    method: 'GET',
    path: '/sharings/:sharingId',
    tag: 'sharings',
    summary: 'Get a shared photo or video',
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
    summary: 'Revoke a link and the URLs of its files at once',
    allow: { sessionOrKey: 'media' },
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
    summary:
      'Get a file of a shared picture or video, or a range of it; never cached, so that a revoked link ends at once',
    allow: 'public',
    params: sharingParams.extend({ file: z.enum(SHARED_FILES) }),
    query: z.object({
      /** `1`: as an attachment. */
      download: z.string().max(10).optional(),
    }),
    responses: { 200: null, 206: null },
    file: ['image/jpeg', 'image/webp', 'video/mp4'],
    errors: ['sharings.not_found', 'sharings.expired', 'media.range_invalid'],
    limit: 'reads',
  }),
} as const;
