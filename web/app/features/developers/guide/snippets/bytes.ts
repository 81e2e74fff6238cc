import { readFile } from 'node:fs/promises';
import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const result = await clearframe.enhance(await readFile('photo.jpg'), { format: 'jpeg' });
await result.save('better.jpg');
