/// English that is not meant for a program, which a closed grammar has to reject.
public enum OrdinaryEnglish {
  /// Sentences of everyday talk, short and long.
  public static let sentences = [
    "i saw her at the market yesterday", "the train was late again this morning",
    "do you know where my keys are", "my brother lives near the sea", "that was a great movie",
    "she said she would call you back later", "we have been waiting for an hour",
    "i do not think that is a good idea", "the soup needs a little more salt",
    "he forgot his umbrella at the office", "what did you have for lunch",
    "they are moving to another city in the spring", "it has been raining all week",
    "could you pass me the newspaper", "my mother used to make bread every sunday",
    "the children are playing in the garden", "i will be there in about ten minutes",
    "no i have never been to spain", "that dog barks all night long",
    "you should really see a doctor about that", "our neighbours bought a new car",
    "the meeting was moved to thursday", "there is nothing good on television",
    "i cannot believe how expensive it was", "well it depends on the weather",
    "he plays the piano better than his teacher", "let us go for a walk after dinner",
    "somebody left the window open", "the library closes at six",
    "i was just about to ask you that",
    "her birthday is at the end of the month", "we ran out of milk this morning",
    "the road to the village is closed", "yes of course", "i am not sure yet",
    "who told you about the party", "it took me three days to read that book",
    "the old man sat down and began to tell his story", "never mind", "that sounds about right",
    "his flight was cancelled because of the snow", "are you coming with us or not",
    "i like the blue one better than the green one", "the shop around the corner sells fresh fish",
    "my phone has no battery left", "she has a terrible cold",
    "nobody knows what happened after that",
    "you can leave your coat over there", "we met at school a long time ago",
    "it is too early to say who will win", "good luck with your exam tomorrow",
    "there was a strange noise in the kitchen", "i used to work there in the summer",
    "the last time i saw him he was fine", "what a beautiful day", "please do not tell anybody",
    "he turned around and walked away", "the lights in the street went out all at once",
    "how long have you been learning english", "i have to go now",
  ]

  /// Commands that are meant for other programs.
  public static let commands = [
    "call my mother", "what time is it", "play some music", "next song please", "volume up",
    "set a timer for five minutes", "what is the weather like tomorrow", "take a picture",
    "navigate to the airport", "read my messages", "send an email to john", "cancel", "go back",
    "open the front door", "lock the car", "stop the engine", "turn left at the next corner",
    "add milk to the shopping list", "remind me to water the plants", "wake me up at seven",
    "scroll down", "close the window", "show me the map", "start recording", "delete this file",
    "increase the temperature by two degrees", "mute the television", "order a large pizza",
    "book a table for two", "translate this into french",
  ]
}
