import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = '{api,contract,models,ops,runtime,sandbox,tests,web,worker}';
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|build|page-reads\.test\.ts)(?:\/|$)/;
const filesIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (entry) => LEFT_OUT.test(String(entry)) });
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Methods of Playwright's pages and locators that read the present state. */
const READS = new Set([
  ...['count', 'isVisible', 'isHidden', 'isChecked', 'isDisabled', 'isEnabled', 'isEditable', 'boundingBox', 'cookies'],
  ...['inputValue', 'textContent', 'allTextContents', 'innerText', 'allInnerTexts', 'innerHTML', 'getAttribute'],
  ...['evaluate', 'evaluateAll', 'title'],
]);

function isRead(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return READS.has(name.text) || (name.text === 'url' && /(?:^|\.)page$/.test(expression.getText()));
}

/** Whether it reads a page when it is evaluated; functions in it are called later. */
const readsPage = (node: ts.Node): boolean =>
  isRead(node) || (!ts.isFunctionLike(node) && (ts.forEachChild(node, readsPage) ?? false));

/** Assertions about a page at one moment, before which a slow page may not have reached the state. */
function momentaryAssertions(text: string): string[] {
  const source = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'expect') {
      const [value] = node.arguments;
      if (value && readsPage(value)) found.push(value.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it.each([
  ['expect(await page.locator("a").count()).toBe(0)', 1],
  ['expect(new URL(page.url()).pathname).toBe("/")', 1],
  ['expect((await box.boundingBox())?.width).toBe(1)', 1],
  ['await expect.poll(() => page.locator("a").count()).toBe(0)', 0],
  ['expect(response.url()).toBe("/")', 0],
  ['expect(() => page.title()).toThrow()', 0],
])('%s: %i momentary', (text, count) => {
  expect(momentaryAssertions(text)).toHaveLength(count);
});

it('tests of pages poll the page', () => {
  const files = filesIn('tests/**/*.ts');
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => momentaryAssertions(textOf(file)).map((value) => `${file}: ${value}`));
  expect(found).toEqual([]);
});

it('tests neither sleep in a page nor poll for a second only', () => {
  const files = filesIn(`${ROOMS}/**/*.{ts,tsx,mjs}`);
  expect(files.filter((file) => /\.waitForTimeout\(|\bvi\.wait(?:For|Until)\(/.test(textOf(file)))).toEqual([]);
});
