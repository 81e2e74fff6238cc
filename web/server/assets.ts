import type { Server } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import compression from 'compression';
import express, { type RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';

/** The pages and what browsers load of them. */
export interface Pages {
  readonly build: ServerBuild | (() => Promise<ServerBuild>);
  /** Answer requests for scripts, style sheets, fonts and pictures, in this order. */
  readonly assets: readonly RequestHandler[];
  /** Vite's client adds style elements without a nonce. */
  readonly allowsInlineStyles: boolean;
}

/** What `entry.server.tsx` exports besides what Remix uses. */
interface Entry {
  readonly withAnswers: (build: ServerBuild) => ServerBuild;
}

const pagesOf = (build: ServerBuild): ServerBuild => (build.entry.module as unknown as Entry).withAnswers(build);

/** @param folder of `remix vite:build` */
export async function builtPages(folder: string): Promise<Pages> {
  const build: ServerBuild = await import(pathToFileURL(path.join(folder, 'server/index.js')).href);
  return { build: pagesOf(build), assets: builtAssets(path.join(folder, 'client')), allowsInlineStyles: false };
}

export function builtAssets(folder: string): readonly RequestHandler[] {
  const notFound: RequestHandler = (_request, response) => void response.sendStatus(404);
  // Named by content hash and compressed at build.
  const hashed = expressStaticGzip(path.join(folder, 'assets'), {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { immutable: true, maxAge: '1y' },
  });
  return [
    express.Router().use('/assets', hashed, notFound),
    compression(),
    express.static(folder, { maxAge: '1h', index: false, redirect: false }),
  ];
}

/**
 * `npm run dev`: pages from their sources, with hot module replacement over the given server.
 * @param root of the package
 */
export async function sourcePages(root: string, server: Server): Promise<Pages> {
  const { createServer } = await import('vite');
  const vite = await createServer({ root, server: { middlewareMode: true, hmr: { server } } });
  return {
    build: async () => pagesOf((await vite.ssrLoadModule('virtual:remix/server-build')) as unknown as ServerBuild),
    assets: [vite.middlewares],
    allowsInlineStyles: true,
  };
}
