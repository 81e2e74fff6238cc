export type PhotosState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly count: number }
  /** A photo was finished and not opened since. */
  | { readonly kind: 'ready' };

export const PHOTOS_STATE = '/photos/state';

export const NO_PHOTOS: PhotosState = { kind: 'none' };

/** Pages that show the newest photos, and with them their states. */
export const showsPhotos = (pathname: string): boolean =>
  ['/batch', '/history', '/processing', '/result'].includes(pathname);
