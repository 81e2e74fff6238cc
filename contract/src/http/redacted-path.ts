/** The id of a public link is enough to see the picture. */
const SHARING_ID = /^(\/s|\/media\/shares|\/api\/v1\/web\/sharings)\/[^/]+/;

/** The path of a request for logs: without its query, which can contain signatures, and without ids of public links. */
export const redactedPath = (url: string): string => (url.split('?', 1)[0] ?? '').replace(SHARING_ID, '$1/*');
