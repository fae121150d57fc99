package illustration

var (
	outdoors = []int{dayMood, noonMood, dawnMood, duskMood, nightMood, greyMood, posterMood}
	daylight = []int{dayMood, noonMood, dawnMood, greyMood, posterMood}
	lowSun   = []int{dawnMood, duskMood, dayMood, posterMood}
	indoors  = []int{dayMood, duskMood, nightMood, posterMood}
	heavy    = []int{greyMood, nightMood, duskMood}
)

var scenes = map[string]scene{
	"forest":             {paint: forest, moods: outdoors},
	"mountains":          {paint: mountains, moods: outdoors},
	"lake":               {paint: lake, moods: outdoors},
	"parliament":         {paint: parliament, moods: outdoors},
	"courthouse":         {paint: courthouse, moods: outdoors},
	"city-hall":          {paint: cityHall, moods: outdoors},
	"bank":               {paint: bank, moods: outdoors},
	"museum":             {paint: museum, moods: outdoors},
	"church":             {paint: church, moods: outdoors},
	"theatre":            {paint: theatre, moods: indoors},
	"concert":            {paint: concert, moods: indoors},
	"stadium":            {paint: stadium, moods: outdoors},
	"podium":             {paint: podium, moods: indoors},
	"skyline":            {paint: skyline, moods: outdoors},
	"apartment-blocks":   {paint: apartmentBlocks, moods: outdoors},
	"construction-crane": {paint: constructionCrane, moods: outdoors},
	"old-town":           {paint: oldTown, moods: outdoors},
	"bridge":             {paint: bridge, moods: outdoors},
	"harbour":            {paint: harbour, moods: outdoors},
	"container-port":     {paint: containerPort, moods: outdoors},
	"railway":            {paint: railway, moods: outdoors},
	"tram":               {paint: tram, moods: outdoors},
	"highway":            {paint: highway, moods: outdoors},
	"airport":            {paint: airport, moods: outdoors},
	"border-gate":        {paint: borderGate, moods: outdoors},
	"street-market":      {paint: streetMarket, moods: outdoors},
	"shopping-street":    {paint: shoppingStreet, moods: outdoors},
	"factory":            {paint: factory, moods: outdoors},
	"steelworks":         {paint: steelworks, moods: indoors},
	"oil-refinery":       {paint: oilRefinery, moods: outdoors},
	"nuclear-plant":      {paint: nuclearPlant, moods: outdoors},
	"power-lines":        {paint: powerLines, moods: outdoors},
	"wind-turbines":      {paint: windTurbines, moods: outdoors},
	"solar-field":        {paint: solarField, moods: daylight},
	"dam":                {paint: dam, moods: outdoors},
	"farmland":           {paint: farmland, moods: outdoors},
	"vineyard":           {paint: vineyard, moods: outdoors},
	"snow-village":       {paint: snowVillage, moods: []int{duskMood, nightMood, dayMood, greyMood, dawnMood}},
	"flood":              {paint: flood, moods: heavy},
	"storm":              {paint: storm, moods: heavy},
	"cycling":            {paint: cycling, moods: daylight},
	"ski-slope":          {paint: skiSlope, moods: daylight},
	"family-walk":        {paint: familyWalk, moods: append(lowSun, greyMood)},
	"map-europe":         {paint: mapEurope, moods: indoors, fixed: true},
	"map-world":          {paint: mapWorld, moods: indoors, fixed: true},
	"chart-line":         {paint: chartLine, moods: indoors, fixed: true},
	"chart-bars":         {paint: chartBars, moods: indoors, fixed: true},
	"coins":              {paint: coins, moods: indoors},
	"exchange-floor":     {paint: exchangeFloor, moods: indoors},
	"crowd":              {paint: crowd, moods: outdoors},
}
