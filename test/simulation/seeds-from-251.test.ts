import { testSeeds } from './play-seeds.ts'

testSeeds(251)
