import { accessTo, ROUTES } from '@clearframe/contract';
import { openApiDocument } from '../../../api/src/platform/http/document.js';

/** The description of what a key reaches. */
export const documentForKeys = (): object =>
  openApiDocument(
    ROUTES.filter((route) => accessTo(route).keyScope !== null),
    'http://localhost:3000',
  );
