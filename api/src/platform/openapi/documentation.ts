import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { describeApi, describeInternalApi, type PublishedLimits } from './document.js';

const PAGE_PATH = '/api/docs';
const DOCUMENTS = [
  { name: 'Clearframe API', path: '/api/openapi', describe: describeApi, isPublic: true },
  { name: 'Internal', path: '/api/internal/openapi', describe: describeInternalApi, isPublic: false },
];

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <title>Clearframe API</title>
  <link rel="stylesheet" href="${PAGE_PATH}/swagger-ui.css">
  <link rel="stylesheet" href="${PAGE_PATH}/index.css">
  <link rel="icon" type="image/png" href="${PAGE_PATH}/favicon-32x32.png" sizes="32x32">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="${PAGE_PATH}/swagger-ui-bundle.js"></script>
  <script src="${PAGE_PATH}/swagger-ui-standalone-preset.js"></script>
  <script src="${PAGE_PATH}/start.js"></script>
</body>
</html>
`;
/** A file of its own, because the content security policy refuses inline scripts. Its top bar chooses the document. */
const SCRIPT = `SwaggerUIBundle({
  urls: ${JSON.stringify(DOCUMENTS.map(({ name, path }) => ({ name, url: `${path}.json` })))},
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;

/** The OpenAPI documents, and Swagger's page of them. */
export async function mountDocumentation(
  fastify: FastifyInstance,
  publicUrl: string,
  limits: PublishedLimits,
): Promise<void> {
  for (const { path, describe, isPublic } of DOCUMENTS) {
    const config = { cors: isPublic };
    // Takes 80 ms, a fifth of the start time.
    let made: ReturnType<typeof describe> | undefined;
    const document = () => {
      made ??= describe(publicUrl, limits);
      return made;
    };
    fastify.get(`${path}.json`, { config }, async () => document());
    fastify.get(`${path}.yaml`, { config }, async (_request, reply) => {
      const { stringify } = await import('yaml');
      return reply.type('text/yaml').send(stringify(document()));
    });
  }
  fastify.get(PAGE_PATH, async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  fastify.get(`${PAGE_PATH}/start.js`, async (_request, reply) => reply.type('text/javascript').send(SCRIPT));
  await fastify.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: `${PAGE_PATH}/`,
    decorateReply: false,
    index: false,
  });
}
