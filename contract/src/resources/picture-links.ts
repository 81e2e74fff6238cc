import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { IMAGE_CONTENT_TYPES } from '../media/types.js';

/** The clean file of a paid picture. */
export const LinkedPicture = z
  .object({
    /** Signed and short-lived; null while the file is prepared: ask again. */
    url: z.url().nullable(),
    fileName: z.string().nullable(),
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int(),
    height: z.int(),
    /** When the media are deleted, and the link with them. */
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'LinkedPicture' });
export type LinkedPicture = z.infer<typeof LinkedPicture>;

/** Links to a guest's paid photo. */
export const pictureLinkRoutes = {
  openPictureLink: defineRoute({
    method: 'POST',
    path: '/picture-links/open',
    tag: 'tasks',
    summary: 'Open the photo linked from a guest’s receipt; the first call creates the clean file',
    allow: 'public',
    /** In the body, to keep it out of access logs. */
    body: z.object({ token: z.string().min(1).max(255) }).meta({ id: 'OpenPictureLink' }),
    responses: { 200: LinkedPicture },
    errors: ['picture_links.not_found', 'exports.insufficient'],
    limit: 'reads',
  }),
} as const;
