import path from 'node:path';

export type Import = readonly [from: string, to: string];

/** Sibling folders below their common folder, and the first import from one to the other. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly example: Import;
}

/**
 * Circles of sibling folders at any depth, each as the imports that close it. The files of a common folder itself count
 * for neither side: they declare what its folders share, or assemble them.
 */
export function circlesOf(imports: readonly Import[]): Import[][] {
  const arrows = new Map<string, Map<string, Arrow>>();
  for (const example of imports) {
    const arrow = arrowOf(example);
    if (!arrow) continue;
    const others = arrows.get(arrow.from) ?? new Map<string, Arrow>();
    arrows.set(arrow.from, others);
    if (!others.has(arrow.to)) others.set(arrow.to, arrow);
  }
  const found = new Map<string, Import[]>();
  for (const folder of [...arrows.keys()].sort()) {
    const circle = shortestCircle(folder, arrows);
    if (!circle) continue;
    const id = circle
      .map(({ from }) => from)
      .sort()
      .join();
    if (!found.has(id))
      found.set(
        id,
        circle.map(({ example }) => example),
      );
  }
  return [...found.values()];
}

function arrowOf(example: Import): Arrow | null {
  const [from, to] = example.map((file) => path.posix.dirname(file).split('/'));
  if (!from || !to) return null;
  const depth = from.findIndex((part, index) => part !== to[index]);
  if (depth < 0 || to[depth] === undefined) return null;
  const folderOf = (parts: readonly string[]): string => parts.slice(0, depth + 1).join('/');
  return { from: folderOf(from), to: folderOf(to), example };
}

/** Breadth first, from `start` back to it. */
function shortestCircle(start: string, arrows: ReadonlyMap<string, ReadonlyMap<string, Arrow>>): Arrow[] | null {
  const seen = new Set<string>();
  let ways: Arrow[][] = [[]];
  while (ways.length > 0) {
    const longer: Arrow[][] = [];
    for (const way of ways) {
      for (const arrow of arrows.get(way.at(-1)?.to ?? start)?.values() ?? []) {
        if (arrow.to === start) return [...way, arrow];
        if (seen.has(arrow.to)) continue;
        seen.add(arrow.to);
        longer.push([...way, arrow]);
      }
    }
    ways = longer;
  }
  return null;
}

/**
 * Files of a folder that one of its subfolders imports and that lead back into it, as the imports in between. Such a
 * file both declares what the subfolder shares and assembles it: the two depend on each other.
 */
export function entanglementsOf(imports: readonly Import[]): Import[][] {
  const imported = new Map<string, string[]>();
  for (const [from, to] of imports) imported.set(from, [...(imported.get(from) ?? []), to]);
  const found = new Map<string, Import[]>();
  for (const [from, to] of imports) {
    const folder = path.posix.dirname(to);
    if (!from.startsWith(`${folder}/`) || path.posix.dirname(from) === folder) continue;
    const subfolder = `${folder}/${from.slice(folder.length + 1).split('/')[0]}/`;
    const way = wayInto(subfolder, to, imported);
    if (way && !found.has(`${to} ${subfolder}`)) found.set(`${to} ${subfolder}`, [[from, to], ...way]);
  }
  return [...found.values()];
}

/** From a file over others of its folder into a subfolder. */
function wayInto(subfolder: string, start: string, imported: ReadonlyMap<string, readonly string[]>): Import[] | null {
  const folder = path.posix.dirname(start);
  const seen = new Set([start]);
  const ways: { at: string; way: Import[] }[] = [{ at: start, way: [] }];
  for (const { at, way } of ways) {
    for (const to of imported.get(at) ?? []) {
      const longer: Import[] = [...way, [at, to]];
      if (to.startsWith(subfolder)) return longer;
      if (path.posix.dirname(to) !== folder || seen.has(to)) continue;
      seen.add(to);
      ways.push({ at: to, way: longer });
    }
  }
  return null;
}
