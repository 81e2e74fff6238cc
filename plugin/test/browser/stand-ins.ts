/** Photoshop in memory and UXP's widgets, for the bundle of the plug-in in a browser: run before its script. */
import { FakeHost, photoshopOf, uxpOf } from '../fake/host.ts';
import './widgets.ts';

declare global {
  var photoshopHost: FakeHost;
}

const host = new FakeHost();
host.jpegOf = ({ width, height, components, samples }) => {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const image = new ImageData(width, height);
  for (let at = 0; at < width * height; at++)
    image.data.set([...samples.subarray(at * components, at * components + 3), 255], at * 4);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
};
const os = {
  arch: () => 'x64',
  cpus: () => [{ model: 'browser' }],
  homedir: () => '/',
  platform: () => 'linux',
  totalmem: () => 0,
};
const modules: Readonly<Record<string, object>> = { photoshop: photoshopOf(host), uxp: uxpOf(host), os };
Object.assign(globalThis, { photoshopHost: host, require: (name: string) => modules[name] });
